package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.data.TestServer.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files arrive whole and checked or not at all, whatever the server does. */
class FetchTest extends FetchCase {
  @Test
  void aFileIsDownloaded() throws IOException {
    fetch(server.folder());
    assertFetched();
    assertThat(server.requests()).containsExactly("all");
    assertThat(lastDone).isEqualTo(COMPRESSED.length);
    assertThat(notes).isEmpty();
  }

  @Test
  void whatIsThereAndGoodIsLeftAlone() throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve(FILE.name()), CONTENT);
    fetch(server.folder());
    assertThat(server.requests()).isEmpty();
    assertThat(notes).containsExactly(folder.resolve(FILE.name()) + " is there and good");
  }

  @ParameterizedTest
  @ValueSource(strings = {"some-images-idx3-ubyte.gz", "some-images.idx3-ubyte"})
  void whatIsThereAndBadIsReplaced(String name) throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve(name), Arrays.copyOf(CONTENT, 1000));
    fetch(server.folder());
    assertFetched();
    assertThat(notes).hasSize(1);
    assertThat(notes.getFirst()).startsWith("replacing ").contains("is cut short");
  }

  @Test
  void aBadFileStaysUntilThereIsABetter() throws IOException {
    Files.createDirectories(folder);
    Files.write(target, Arrays.copyOf(COMPRESSED, 1000));
    server.fault(Fault.NOT_FOUND);
    assertFails();
    assertThat(filesIn(folder)).containsExactly(target);
  }

  @ParameterizedTest
  @EnumSource(names = {"BREAKS_OFF_AT_ONCE", "NEVER_ANSWERS", "NOT_FOUND"})
  void withoutDataNothingIsLeft(Fault fault) throws IOException {
    server.fault(fault);
    patience = fault == Fault.NEVER_ANSWERS ? Duration.ofMillis(300) : patience;
    assertFails();
    assertThat(server.requests()).hasSize(1);
    assertThat(filesIn(folder)).isEmpty();
    assertThat(notes).hasSize(1);
    assertThat(notes.getFirst())
        .startsWith(server.folder() + FILE.compressedName())
        .containsAnyOf("broke off after 0 of", "does not answer", "answers with status 404");
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    server.put(FILE.compressedName(), IdxFiles.compressed(IdxFiles.idx(100, 40, 40)));
    assertFails();
    assertThat(filesIn(folder)).isEmpty();
    assertThat(notes.getLast()).contains("has other content: its SHA-256 is", FILE.sha256());
  }

  /** No more than the file can have is ever written to the disk. */
  @ParameterizedTest
  @EnumSource(names = {"ENDLESS", "HUGE"})
  void aServerThatSendsTooMuchIsLeft(Fault fault) throws IOException {
    server.fault(fault);
    assertFails();
    assertThat(server.requests()).hasSize(1);
    assertThat(filesIn(folder)).isEmpty();
    assertThat(lastDone).isLessThanOrEqualTo(FILE.mostBytes());
    assertThat(notes)
        .containsExactly(
            server.folder()
                + FILE.compressedName()
                + " sends more than the 161,200 bytes that the file can have");
  }

  @Test
  void theNextMirrorIsTried() throws IOException {
    try (var second = new TestServer()) {
      second.put(FILE.compressedName(), COMPRESSED);
      server.fault(Fault.NOT_FOUND);
      var closed = new TestServer();
      closed.close();
      fetch(closed.folder(), server.folder(), second.folder());
      assertFetched();
      assertThat(notes).hasSize(2);
      assertThat(notes.getFirst()).contains("cannot be reached");
    }
  }
}
