package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Another libtorch that the system would find first does no harm. */
@EnabledOnOs(OS.LINUX)
class OtherLibtorchTest {
  @TempDir Path folder;

  @Test
  void ourOwnLibrariesAreUsed() throws Exception {
    Path home = Path.of(System.getProperty("java.home"));
    for (String name : new String[] {"libtorch_cpu.so", "libc10.so"}) {
      Files.copy(
          home.resolve("lib/libzip.so"), folder.resolve(name)); // a library, but not that one
    }
    var builder =
        new ProcessBuilder(
                home.resolve("bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "verify",
                "../experiments/src/test/resources/golden/lu_layer_d5.json.gz")
            .redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", folder.toString());
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(printed).contains("OK   lu_layer_d5");
  }
}
