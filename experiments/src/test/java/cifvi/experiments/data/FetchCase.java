package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file to be fetched from a server whose faults a test chooses. */
@Timeout(60)
abstract class FetchCase {
  static final byte[] CONTENT = content();
  static final byte[] COMPRESSED = IdxFiles.compressed(CONTENT);
  static final DataFile FILE =
      IdxFiles.file("some-images-idx3-ubyte", List.of(100, 40, 40), CONTENT);
  static final int HALF = COMPRESSED.length / 2;

  @TempDir Path temporary;
  Path folder;
  Path target;
  Path part;
  TestServer server;
  final List<String> notes = new ArrayList<>();
  long lastDone = -1;
  Duration patience = Duration.ofSeconds(30);

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

  void fetch(URI... mirrors) {
    fetch(_ -> true, mirrors);
  }

  void fetch(LongPredicate goOn, URI... mirrors) {
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

  void assertFetched() throws IOException {
    assertThat(folder).isDirectoryContaining(target::equals);
    assertThat(target).hasBinaryContent(COMPRESSED);
    assertThat(filesIn(folder)).containsExactly(target);
  }

  static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  void leavePart(byte[] content) throws IOException {
    Files.createDirectories(folder);
    Files.write(part, content);
  }

  void assertFails() {
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> fetch(server.folder()))
        .withMessage("some-images-idx3-ubyte.gz cannot be fetched. ADVICE");
  }
}
