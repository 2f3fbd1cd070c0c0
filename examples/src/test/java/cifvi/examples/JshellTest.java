package cifvi.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jshell session runs as README.md of this folder says, with the class path of the tests. */
class JshellTest {
  @TempDir private Path folder;

  @Test
  void bananaIsFitted() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jshell").toString(),
                "--class-path",
                System.getProperty("java.class.path"),
                "-J-Djava.util.prefs.userRoot=" + folder,
                "-R--add-modules=jdk.incubator.vector",
                "-R--enable-native-access=ALL-UNNAMED",
                "banana.jsh")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(ExamplesTest.number(said, "mean of z.2, which is 1: (-?[\\d.]+)"))
        .as(said)
        .isBetween(0.5, 1.5);
  }
}
