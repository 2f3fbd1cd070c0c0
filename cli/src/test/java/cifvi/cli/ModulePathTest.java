package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.Engines;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the module path a run trains, is written and read again: modules say all that they need. */
class ModulePathTest {
  private static final String PATH =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .filter(entry -> !entry.endsWith("test-classes"))
          .collect(Collectors.joining(File.pathSeparator));

  @Test
  void aRunIsTrainedAndGoneOnWith(@TempDir Path folder) throws Exception {
    Path run = folder.resolve("run");
    assertThat(cifvi("mog", "--model", "nsf", "--steps", "2", "--out", run.toString()))
        .contains(Engines.vectorBits().orElse(0) >= 256 ? "engine fused" : "engine eager");
    assertThat(cifvi("resume", run.toString(), "--steps", "3")).contains("nsf");
    assertThat(run.resolve("result.json")).content().contains("\"steps\" : 3");
  }

  private static String cifvi(String... arguments) throws IOException, InterruptedException {
    var command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=cifvi.core,org.bytedeco.javacpp",
            "--add-modules",
            "jdk.incubator.vector," + natives(),
            "--module-path",
            PATH,
            "--module",
            "cifvi.cli/cifvi.cli.Main");
    command.command().addAll(Arrays.asList(arguments));
    Process process = command.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    return out;
  }

  /** Nobody requires libraries of a platform by name. */
  private static String natives() {
    Path[] path =
        Arrays.stream(PATH.split(File.pathSeparator, -1)).map(Path::of).toArray(Path[]::new);
    return ModuleFinder.of(path).findAll().stream()
        .map(ModuleReference::descriptor)
        .map(module -> module.name())
        .filter(name -> name.startsWith("org.bytedeco."))
        .collect(Collectors.joining(","));
  }
}
