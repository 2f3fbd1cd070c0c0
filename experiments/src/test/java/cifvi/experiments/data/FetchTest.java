package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import cifvi.experiments.data.TestServer.Fault;
import cifvi.experiments.run.UserException;
import cifvi.vi.Progress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files arrive whole and checked or not at all, whatever the server does. */
@Timeout(60)
class FetchTest {
  private static final byte[] CONTENT = content();
  private static final byte[] COMPRESSED = IdxFiles.compressed(CONTENT);
  private static final DataFile FILE =
      IdxFiles.file("some-images-idx3-ubyte", List.of(100, 40, 40), CONTENT);
  private static final int HALF = COMPRESSED.length / 2;

  @TempDir Path temporary;
  private Path folder;
  private Path target;
  private Path part;
  private TestServer server;
  private final List<String> notes = new ArrayList<>();
  private long lastDone = -1;
  private Duration patience = Duration.ofSeconds(30);

  /** Noise, which compresses badly: the file is larger than the buffers on its way. */
  private static byte[] content() {
    byte[] content = IdxFiles.idx(100, 40, 40);
    var random = new Random(1);
    for (int i = 16; i < content.length; i++) {
      content[i] = (byte) random.nextInt();
    }
    return content;
  }

  @BeforeEach
  void start() throws IOException {
    folder = temporary.resolve("some");
    target = folder.resolve("some-images-idx3-ubyte.gz");
    part = folder.resolve("some-images-idx3-ubyte.gz.part");
    server = new TestServer();
    server.put(FILE.compressedName(), COMPRESSED);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void fetch(URI... mirrors) {
    fetch(_ -> true, mirrors);
  }

  private void fetch(LongPredicate goOn, URI... mirrors) {
    var source = new Mirrors(List.of(mirrors), "ADVICE", patience);
    Fetch.run(
        List.of(FILE),
        folder,
        source,
        new FetchListener() {
          @Override
          public void note(String line) {
            notes.add(line);
          }

          @Override
          public boolean fetching(String file, long done, long of) {
            lastDone = done;
            return goOn.test(done);
          }
        });
  }

  private void assertFetched() throws IOException {
    assertThat(folder).isDirectoryContaining(target::equals);
    assertThat(target).hasBinaryContent(COMPRESSED);
    assertThat(filesIn(folder)).containsExactly(target);
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private void leavePart(byte[] content) throws IOException {
    Files.createDirectories(folder);
    Files.write(part, content);
  }

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
  void aServerThatFallsSilentIsGivenUp() throws IOException {
    leavePart(Arrays.copyOf(COMPRESSED, HALF));
    server.fault(Fault.FALLS_SILENT);
    patience = Duration.ofSeconds(1);
    assertFails();
    assertThat(notes.getFirst()).contains("fell silent after");
    assertThat(Files.size(part)).isGreaterThan(HALF);
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    server.put(FILE.compressedName(), IdxFiles.compressed(IdxFiles.idx(100, 40, 40)));
    assertFails();
    assertThat(filesIn(folder)).isEmpty();
    assertThat(notes.getLast()).contains("has other content: its SHA-256 is", FILE.sha256());
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

  private void assertFails() {
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> fetch(server.folder()))
        .withMessage("some-images-idx3-ubyte.gz cannot be fetched. ADVICE");
  }

  @Test
  void aFileInTheWayOfTheFolderIsNamed() throws IOException {
    Files.createFile(folder);
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> fetch(server.folder()))
        .withMessage(folder + " is a file, not a folder: remove it or choose another --data-dir");
    Path below = folder.resolve("below");
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> DataDirectory.create(below))
        .withMessage(below + ": cannot be written: Not a directory; choose another --data-dir");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aReadOnlyFolderServesAsLongAsNothingIsMissing() throws IOException {
    Files.createDirectories(folder);
    Files.write(target, COMPRESSED);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeThat(Files.isWritable(folder)).as("as root every folder can be written to").isFalse();
    fetch(server.folder());
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.delete(target);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> fetch(server.folder()))
        .withMessage(folder + ": cannot be written: permission denied; choose another --data-dir");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aFolderInTheWayOfThePartIsNamed() throws IOException {
    Files.createDirectories(part.resolve("full"));
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> fetch(server.folder()))
        .withMessage(part + ": cannot be written: Is a directory");
  }
}
