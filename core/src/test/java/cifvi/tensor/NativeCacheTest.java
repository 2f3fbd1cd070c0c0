package cifvi.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.graph.OwnProcess;
import cifvi.tensor.internal.UserCache;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.bytedeco.javacpp.annotation.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Native libraries come from a folder of the user, or not at all: JavaCPP would take them from a
 * folder in the temporary directory whose name anyone can guess, where size and date are right.
 */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class NativeCacheTest {
  private static final String LIBRARY = "org/bytedeco/javacpp/linux-x86_64/libjnijavacpp.so";

  @TempDir Path folder;

  @Test
  void aLibraryPlantedInTheTemporaryFolderIsNotOpened() throws Exception {
    plant(folder.resolve(".javacpp-" + System.getProperty("user.name") + "/cache"));
    Path home = Files.createFile(folder.resolve("file")).resolve("home"); // for root as well
    assertThat(opened("-Duser.home=" + home, "-Djava.io.tmpdir=" + folder))
        .isEqualTo(
            """
            refused: native libraries: %s/.cache/cifvi/natives cannot be made: %s/file is not a \
            folder; set XDG_CACHE_HOME, or -Dorg.bytedeco.javacpp.cachedir, to a folder of yours
            """
                .formatted(home, folder));
  }

  @Test
  void aFolderThatOthersCanWriteToIsRefused() throws Exception {
    Path cache = Files.createDirectory(folder.resolve("cache"));
    plant(cache);
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxr-x"));
    assertThat(opened("-Dorg.bytedeco.javacpp.cachedir=" + cache))
        .startsWith("refused: native libraries: " + cache + " can be written to by others")
        .hasLineCount(1);
  }

  @Test
  void byDefaultTheyComeFromTheUsersCache() throws Exception {
    assertThat(OwnProcess.output(OwnProcess.of(OpenedLibraries.class)))
        .startsWith(UserCache.folder("natives").toRealPath().toString())
        .hasLineCount(1);
  }

  /** What a process with these options opens, whose user has chosen no cache folder. */
  private static String opened(String... options) throws Exception {
    ProcessBuilder child = OwnProcess.of(OpenedLibraries.class, options);
    child.environment().remove("XDG_CACHE_HOME");
    return OwnProcess.output(child);
  }

  /** A library of the size and date that the one in the jar has, but not the same. */
  private static void plant(Path cache) throws IOException {
    URL url = Objects.requireNonNull(Platform.class.getResource("/" + LIBRARY));
    var jar = (JarURLConnection) url.openConnection();
    String name = Path.of(jar.getJarFile().getName()).getFileName().toString();
    Path file = cache.resolve(name).resolve(LIBRARY);
    Files.createDirectories(file.getParent());
    byte[] bytes = jar.getInputStream().readAllBytes();
    bytes[bytes.length - 1] ^= 1; // of the last section's header, which nothing reads
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, FileTime.fromMillis(jar.getJarEntry().getTime()));
  }
}
