package cifvi.tensor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A folder that others can have written to is refused, for root as for anyone else. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "its folders have no owner, group and mode")
class PrivateFolderTest {
  private static final String ANOTHER = "choose another";
  private static final int NOBODY = 54_321;

  @TempDir Path temporary;
  private Path above;
  private Path folder;

  @BeforeEach
  void real() throws IOException {
    above = temporary.toRealPath().resolve("above");
    folder = above.resolve("folder");
  }

  @Test
  void isMadeForTheUserAlone() throws IOException {
    assertThat(PrivateFolder.require(folder, ANOTHER)).isEqualTo(folder).isEmptyDirectory();
    assertThat(mode(folder)).isEqualTo("rwx------");
    assertThat(mode(above)).isEqualTo("rwx------");
    assertThat(PrivateFolder.require(folder, ANOTHER)).isEqualTo(folder);
  }

  @Test
  void thoseWhoCanOnlyReadAreNoDanger() throws IOException {
    made(folder, "rwxr-xr-x");
    assertThat(PrivateFolder.require(folder, ANOTHER)).isEqualTo(folder);
  }

  @Test
  void othersMustNotBeAbleToWriteThere() throws IOException {
    for (String mode : new String[] {"rwxrwxr-x", "rwxr-xrwx", "rwx-w----"}) {
      made(folder, mode);
      refused(folder, "can be written to by others", "chmod -R go-w " + folder, ANOTHER);
    }
  }

  @Test
  void norInsideWhereTheyCanLookInside() throws IOException {
    made(folder, "rwx--x--x");
    Path inside = folder.resolve("inside");
    made(inside, "rwxrwxrwx");
    assertThatThrownBy(() -> PrivateFolder.require(folder, ANOTHER))
        .hasMessageStartingWith(inside + " can be written to by others");
    made(folder, "rwx------");
    assertThat(PrivateFolder.require(folder, ANOTHER)).isEqualTo(folder);
  }

  @Test
  void norToTakeAFolderAboveAway() throws IOException {
    made(folder, "rwx------");
    made(above, "rwxrwxrwx");
    refused(folder, "can be replaced by others", "chmod o-w " + above, ANOTHER);
  }

  /** Root can give a folder away; for anyone else that of root is foreign. */
  @Test
  void aForeignFolderIsRefused() throws IOException {
    made(folder, "rwx------");
    try {
      Files.setAttribute(folder, "unix:uid", NOBODY);
    } catch (IOException _) {
      folder = Path.of("/");
    }
    assertThatThrownBy(() -> PrivateFolder.require(folder, ANOTHER))
        .isInstanceOf(SecurityException.class)
        .hasMessageStartingWith(folder.toString())
        .hasMessageEndingWith("; " + ANOTHER);
  }

  @Test
  void aLinkIsFollowedBeforeAnythingIsChecked() throws IOException {
    made(folder, "rwxrwxrwx");
    Path link = Files.createSymbolicLink(folder.resolveSibling("link"), folder);
    assertThatThrownBy(() -> PrivateFolder.require(link, ANOTHER))
        .hasMessageStartingWith(folder + " can be written to by others");
  }

  @Test
  void aRelativeFolderIsRefused() {
    refused(Path.of("kernels"), "is no absolute path", ANOTHER);
  }

  @Test
  void aFileIsNoFolder() throws IOException {
    Files.createDirectories(above);
    Files.createFile(folder);
    refused(folder, "cannot be made: " + folder + " is not a folder", ANOTHER);
    refused(folder.resolve("c"), "cannot be made: " + folder + " is not a folder", ANOTHER);
  }

  @Test
  void theUsersCacheFollowsTheXdgRule() {
    Path inHome = Path.of("/home/me/.cache/cifvi/data");
    assertThat(UserCache.folder("data", "/cache", "/home/me"))
        .isEqualTo(Path.of("/cache/cifvi/data"));
    assertThat(UserCache.folder("data", null, "/home/me")).isEqualTo(inHome);
    assertThat(UserCache.folder("data", "", "/home/me")).isEqualTo(inHome);
    assertThat(UserCache.folder("data", "relative", "/home/me")).isEqualTo(inHome);
  }

  private static void refused(Path folder, String... parts) {
    assertThatThrownBy(() -> PrivateFolder.require(folder, ANOTHER))
        .isInstanceOf(SecurityException.class)
        .hasMessageStartingWith(folder.toString())
        .hasMessageContainingAll(parts);
  }

  private static void made(Path folder, String mode) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
  }

  private static String mode(Path folder) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
  }
}
