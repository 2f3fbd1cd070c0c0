package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files are found below a folder under every name that packages give them. */
class LocalFolderTest {
  private static final byte[] IMAGES = IdxFiles.idx(4, 2, 3);
  private static final byte[] LABELS = IdxFiles.idx(4);
  private static final List<DataFile> FILES =
      List.of(
          IdxFiles.file("train-images-idx3-ubyte", List.of(4, 2, 3), IMAGES),
          IdxFiles.file("train-labels-idx1-ubyte", List.of(4), LABELS));

  @TempDir Path temporary;
  private Path from;
  private Path into;

  @BeforeEach
  void makeFolders() throws IOException {
    from = Files.createDirectory(temporary.resolve("from"));
    into = Files.createDirectory(temporary.resolve("into"));
  }

  private void fetch() {
    Fetch.run(
        FILES,
        into,
        new LocalFolder(from),
        new FetchListener() {
          @Override
          public void note(String line) {}

          @Override
          public boolean fetching(String file, long done, long of) {
            return true;
          }
        });
  }

  private void put(String name, byte[] content) throws IOException {
    Path file = from.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private List<String> fetched() throws IOException {
    try (Stream<Path> files = Files.list(into)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "data/", "package/data/", "usr/share/datasets/fashion-mnist/"})
  void plainFilesAreFoundInFolders(String folder) throws IOException {
    put(folder + "train-images-idx3-ubyte", IMAGES);
    put(folder + "train-labels.idx1-ubyte", LABELS);
    fetch();
    assertThat(fetched()).containsExactly("train-images-idx3-ubyte", "train-labels-idx1-ubyte");
    assertThat(into.resolve("train-images-idx3-ubyte")).hasBinaryContent(IMAGES);
  }

  @Test
  void compressedFilesStayCompressedWhateverTheirName() throws IOException {
    put("train-images.idx3-ubyte.gz", IdxFiles.compressed(IMAGES));
    put("train-labels-idx1-ubyte", IdxFiles.compressed(LABELS));
    fetch();
    assertThat(fetched())
        .containsExactly("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz");
  }

  @Test
  void amongSeveralOfOneNameTheGoodOneIsTaken() throws IOException {
    put("a/train-images-idx3-ubyte", IdxFiles.idx(4, 2, 4));
    put("b/train-images-idx3-ubyte", IMAGES);
    put("b/train-labels-idx1-ubyte", LABELS);
    fetch();
    assertThat(into.resolve("train-images-idx3-ubyte")).hasBinaryContent(IMAGES);
  }

  @Test
  void aFolderThatLacksOneFileChangesNothing() throws IOException {
    put("train-images-idx3-ubyte", IMAGES);
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(this::fetch)
        .withMessageContaining("--from " + from)
        .withMessageContaining("train-labels-idx1-ubyte (or .gz): missing");
    assertThat(fetched()).isEmpty();
  }

  @Test
  void swappedFilesAreRefused() throws IOException {
    put("train-images-idx3-ubyte", LABELS);
    put("train-labels-idx1-ubyte", IMAGES);
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(this::fetch)
        .withMessageContaining("train-images-idx3-ubyte holds labels, expected images")
        .withMessageContaining("train-labels-idx1-ubyte holds images, expected labels");
    assertThat(fetched()).isEmpty();
  }

  @Test
  void itMustBeAFolder() {
    Path nothing = from.resolve("nothing");
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> new LocalFolder(nothing))
        .withMessage("--from " + nothing + ": is not a folder");
  }
}
