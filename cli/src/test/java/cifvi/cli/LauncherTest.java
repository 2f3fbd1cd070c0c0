package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.machine.Provenance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script in the repository's root starts the command with a JDK it finds itself. */
@EnabledOnOs(OS.LINUX)
class LauncherTest {
  private static final Path CIFVI = Path.of("../cifvi").toAbsolutePath().normalize();

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
    assertThat(run(Map.of(), Set.of("HOME"), "--version").printed()).startsWith("cifvi ");
  }

  @Test
  void takesAnyNameWhateverTheLocale() throws Exception {
    assertThat(run(Map.of("LC_ALL", "C"), Set.of(), "report", "/no/größe").printed())
        .isEqualTo("cifvi: /no/größe is not a run directory: it has no spec.yaml\n");
  }

  @Test
  void startsThroughLinksWithTheToolsOfAMac(@TempDir Path tools) throws Exception {
    tool(tools, "readlink", "case $1 in -*) echo illegal option >&2; exit 1 ;; esac");
    tool(tools, "find", "case \"$*\" in *-quit*) echo unknown primary >&2; exit 1 ;; esac");
    tool(tools, "paste", "case \"$*\" in *' -') ;; *) echo usage >&2; exit 1 ;; esac");
    Path folder = Files.createDirectory(tools.resolve("links"));
    Path first = Files.createSymbolicLink(folder.resolve("first"), CIFVI);
    Path second = Files.createSymbolicLink(folder.resolve("second"), first.getFileName());
    assertThat(run(second, path(tools), Set.of(), "--version"))
        .isEqualTo(new Outcome("cifvi " + Provenance.VERSION + "\n", 0));
  }

  @Test
  void saysWhereLibtorchHasNoNativeLibraries(@TempDir Path tools) throws Exception {
    tool(tools, "uname", "case $1 in -m) echo aarch64; exit ;; esac");
    var refusal =
        "cifvi: libtorch has no native libraries for Linux on aarch64: use Linux on x86-64,"
            + " macOS on arm64 or x86-64, or Windows on x86-64\n";
    assertThat(run(path(tools), Set.of(), "--version")).isEqualTo(new Outcome(refusal, 2));
  }

  private static Map<String, String> path(Path first) {
    return Map.of("PATH", first + ":" + System.getenv("PATH"));
  }

  /** A command that does something else before it does what it always does. */
  private static void tool(Path folder, String name, String before) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(
        file, "#!/bin/sh\n%s\nPATH=${PATH#*:} exec %s \"$@\"\n".formatted(before, name));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static String run(String... arguments) throws Exception {
    return run(Map.of(), Set.of(), arguments).printed();
  }

  /** What came of a start. */
  private record Outcome(String printed, int exitCode) {}

  private static Outcome run(Map<String, String> more, Set<String> less, String... arguments)
      throws Exception {
    return run(CIFVI, more, less, arguments);
  }

  private static Outcome run(
      Path launcher, Map<String, String> more, Set<String> less, String... arguments)
      throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = launcher.toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    var builder =
        new ProcessBuilder(command).directory(Path.of("/").toFile()).redirectErrorStream(true);
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("JAVA_TOOL_OPTIONS"); // which the JVM would say it picked up
    builder.environment().putAll(more);
    builder.environment().keySet().removeAll(less);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(printed, process.waitFor());
  }
}
