package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Without native libraries one line says so, whether there are any for the machine or not. */
class NoLibtorchTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @Test
  void aMachineThatHasNone() throws Exception {
    assertRefused(
        List.of("-Dos.name=Linux", "-Dos.arch=riscv64"),
        CLASS_PATH,
        "cifvi: libtorch has no native libraries for Linux on riscv64: use Linux on x86-64, ");
  }

  @Test
  void jarsThatAreNotThere() throws Exception {
    String without =
        Arrays.stream(CLASS_PATH.split(File.pathSeparator))
            .filter(part -> !part.matches(".*pytorch-.*(x86_64|arm64)(-gpu)?\\.jar"))
            .collect(Collectors.joining(File.pathSeparator));
    assertRefused(
        List.of(),
        without,
        "cifvi: the native libraries of libtorch are missing: add org.bytedeco");
  }

  private static void assertRefused(List<String> options, String classPath, String message)
      throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, Main.class.getName()));
    command.addAll(
        List.of("verify", "../experiments/src/test/resources/golden/lu_layer_d5.json.gz"));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS"); // which the JVM would say it picked up
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isEqualTo(2);
    assertThat(printed).startsWith(message).hasLineCount(1);
  }
}
