package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

/** Where files cannot be put, the message names the place and the remedy. */
class FetchPlaceTest extends FetchCase {
  @Test
  void aFileInTheWayOfTheFolderIsNamed() throws IOException {
    Files.createFile(folder);
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> fetch(server.folder()))
        .withMessage(folder + " is a file, not a folder: remove it or choose another --data-dir");
    Path below = folder.resolve("below");
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> DataDirectory.create(below))
        .withMessage(
            below
                + ": cannot be written: "
                + SystemWords.notDirectory(folder)
                + "; choose another --data-dir");
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
        .withMessage(part + ": cannot be written: " + SystemWords.isDirectory(part));
  }
}
