package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data sets are found, and refused when anything about their files is wrong. */
class ImageDataTest {
  @TempDir Path dataDir;
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectory(dataDir.resolve("mnist"));
  }

  @ParameterizedTest
  @EnumSource
  void everyMissingFileIsNamedAtOnce(DataSet set) {
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> ImageData.load(set, dataDir))
        .withMessage(
            "%s is not in %s, which lacks train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz,"
                    .formatted(set.title(), dataDir.resolve(set.toString()))
                + " t10k-images-idx3-ubyte.gz, t10k-labels-idx1-ubyte.gz:"
                + " get it with: cifvi data fetch %s --data-dir %s".formatted(set, dataDir));
  }

  @Test
  void onlyWhatIsMissingIsNamed() throws IOException {
    Files.createFile(folder.resolve("train-images-idx3-ubyte"));
    Files.createFile(folder.resolve("train-labels.idx1-ubyte.gz"));
    Files.createFile(folder.resolve("t10k-images.idx3-ubyte"));
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> ImageData.load(DataSet.MNIST, dataDir))
        .withMessageContaining("which lacks t10k-labels-idx1-ubyte.gz: get it");
  }

  @Test
  void imagesOfAnotherSizeAreRefused() throws IOException {
    assertTrainImagesRefused(
        IdxFiles.idx(60_000, 27, 28), "holds 60,000 × 27 × 28, expected 60,000 × 28 × 28");
  }

  @Test
  void anotherNumberOfImagesIsRefused() throws IOException {
    assertTrainImagesRefused(
        IdxFiles.idx(59_999, 28, 28), "holds 59,999 × 28 × 28, expected 60,000 × 28 × 28");
  }

  @Test
  void otherImagesAreRefused() throws IOException {
    assertTrainImagesRefused(
        IdxFiles.idx(60_000, 28, 28),
        "expected ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db");
  }

  private void assertTrainImagesRefused(byte[] content, String problem) throws IOException {
    for (DataFile file : DataSet.MNIST.files()) {
      Files.createFile(folder.resolve(file.name()));
    }
    Files.write(folder.resolve("train-images-idx3-ubyte"), content);
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> ImageData.load(DataSet.MNIST, dataDir))
        .withMessageStartingWith(folder.resolve("train-images-idx3-ubyte") + " ")
        .withMessageContaining(problem)
        .withMessageEndingWith("\nget it again with: cifvi data fetch mnist --data-dir " + dataDir);
  }

  @Test
  void aSmallSetOfFilesIsChecked() throws IOException {
    byte[] content = IdxFiles.idx(4, 2, 3);
    var file = IdxFiles.file("some-images-idx3-ubyte", List.of(4, 2, 3), content);
    assertThat(FileCheck.of(file, folder))
        .isEqualTo(new FileCheck("some-images-idx3-ubyte.gz", false, "is missing"));
    Files.write(folder.resolve("some-images.idx3-ubyte"), content);
    assertThat(FileCheck.of(file, folder).detail()).matches("4 × 2 × 3 +" + file.sha256());
    Files.write(folder.resolve("some-images-idx3-ubyte.gz"), new byte[0]);
    assertThat(FileCheck.of(file, folder).detail()).isEqualTo("is cut short: it has 0 bytes");
  }

  @Test
  void imagesAndLabelsMustBeAsMany() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ImageSet(new byte[12], new byte[1], 2, 2, 3))
        .withMessage("labels: expected one for each of 2 images, got 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ImageSet(new byte[11], new byte[2], 2, 2, 3))
        .withMessage("pixels: expected 2 × 2 × 3, got 11");
  }

  @Test
  void namesAreThoseOfTheCommandLineAndOfPapers() {
    assertThat(DataSet.values())
        .extracting(DataSet::toString)
        .containsExactly("mnist", "fashion-mnist");
    assertThat(DataSet.values())
        .extracting(DataSet::title)
        .containsExactly("MNIST", "Fashion-MNIST");
  }
}
