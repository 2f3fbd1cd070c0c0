package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.run.Provenance;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The script in the repository's root starts the command with a JDK it finds itself. */
@EnabledOnOs(OS.LINUX)
class LauncherTest {
  @Test
  void startsTheCommandFromAnyFolder() throws Exception {
    assertThat(run("--version")).isEqualTo("cifvi " + Provenance.VERSION + "\n");
  }

  @Test
  void passesArgumentsAndErrorsThrough() throws Exception {
    assertThat(run("mog", "--steps", "0"))
        .isEqualTo("cifvi: --steps: expected at least 1, got 0\n");
  }

  @Test
  void needsNoHome() throws Exception {
    assertThat(run(Map.of(), Set.of("HOME"), "--version")).startsWith("cifvi ");
  }

  @Test
  void takesAnyNameWhateverTheLocale() throws Exception {
    assertThat(run(Map.of("LC_ALL", "C"), Set.of(), "report", "/no/größe"))
        .isEqualTo("cifvi: /no/größe is not a run directory: it has no spec.yaml\n");
  }

  private static String run(String... arguments) throws Exception {
    return run(Map.of(), Set.of(), arguments);
  }

  private static String run(Map<String, String> more, Set<String> less, String... arguments)
      throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = Path.of("../cifvi").toAbsolutePath().normalize().toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    var builder =
        new ProcessBuilder(command).directory(Path.of("/").toFile()).redirectErrorStream(true);
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("JAVA_TOOL_OPTIONS"); // which the JVM would say it picked up
    builder.environment().putAll(more);
    builder.environment().keySet().removeAll(less);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed;
  }
}
