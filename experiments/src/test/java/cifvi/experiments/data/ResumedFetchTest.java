package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import cifvi.experiments.data.TestServer.Fault;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What has come of a file is kept and not asked for again. */
class ResumedFetchTest extends FetchCase {
  @Test
  void aPartIsResumed() throws IOException {
    leavePart(Arrays.copyOf(COMPRESSED, HALF));
    fetch(server.folder());
    assertFetched();
    assertThat(server.requests()).containsExactly("bytes=" + HALF + "-");
  }

  @Test
  void aPartIsStartedOverWhereRangesAreIgnored() throws IOException {
    leavePart(new byte[2 * COMPRESSED.length]);
    server.fault(Fault.IGNORES_RANGE);
    fetch(server.folder());
    assertFetched();
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aWholePartIsTaken() throws IOException {
    leavePart(COMPRESSED);
    fetch(server.folder());
    assertFetched();
    assertThat(server.requests()).containsExactly("bytes=" + COMPRESSED.length + "-");
  }

  @Test
  void aPartOfAnotherFileIsStartedOver() throws IOException {
    byte[] other = COMPRESSED.clone();
    other[1000] ^= 1;
    leavePart(Arrays.copyOf(other, HALF));
    fetch(server.folder());
    assertFetched();
    assertThat(server.requests()).containsExactly("bytes=" + HALF + "-", "all");
    assertThat(notes.getFirst()).contains("starting it over");
  }

  @Test
  void aConnectionThatBreaksOffIsTakenUpAgain() throws IOException {
    server.fault(Fault.BREAKS_OFF_ONCE);
    fetch(server.folder());
    assertFetched();
    assertThat(notes.getFirst()).contains("broke off after", ": going on");
  }

  @Test
  void aServerThatKeepsBreakingOffIsGivenUp() throws IOException {
    server.fault(Fault.BREAKS_OFF);
    assertFails();
    assertThat(server.requests()).hasSize(4);
    assertThat(notes.getLast()).contains("broke off after");
    assertThat(filesIn(folder)).containsExactly(part);
    assertThat(Files.readAllBytes(part))
        .isEqualTo(Arrays.copyOf(COMPRESSED, (int) Files.size(part)));
    server.fault(Fault.NONE);
    fetch(server.folder());
    assertFetched();
  }

  @Test
  void aServerThatFallsSilentIsGivenUp() throws IOException {
    leavePart(Arrays.copyOf(COMPRESSED, HALF));
    server.fault(Fault.FALLS_SILENT);
    patience = Duration.ofSeconds(1);
    assertFails();
    assertThat(notes.getFirst()).contains("fell silent after");
    assertThat(Files.size(part)).isGreaterThan(HALF);
  }

  @Test
  void stoppingKeepsThePart() throws IOException {
    server.fault(Fault.FALLS_SILENT);
    assertThatExceptionOfType(Progress.StoppedException.class)
        .isThrownBy(() -> fetch(done -> done == 0, server.folder()));
    assertThat(filesIn(folder)).containsExactly(part);
    server.fault(Fault.NONE);
    fetch(server.folder());
    assertFetched();
    assertThat(server.requests()).hasSize(2);
    assertThat(server.requests().getLast()).startsWith("bytes=");
  }
}
