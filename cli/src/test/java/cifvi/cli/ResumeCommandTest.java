package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Going on with runs by the command line: every refusal is one line and exit code 2. */
class ResumeCommandTest {
  @TempDir private Path folder;

  private Path run() {
    Path run = folder.resolve("run");
    assertThat(
            Cli.run("mog", "--model", "nsf", "--steps", "2", "--samples", "9", "--out", run)
                .exitCode())
        .isZero();
    return run;
  }

  private static void assertRefused(Cli cli, String... words) {
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("cifvi: ").hasLineCount(1).contains(words);
  }

  @Test
  void stepsExtendAFinishedRun() throws IOException {
    Path run = run();
    assertRefused(Cli.run("resume", run, "--steps", "1"), "--steps: expected at least the 2");
    assertRefused(Cli.run("resume", run, "--epochs", "3"), "--epochs: is not for runs of kind mog");
    assertThat(Cli.run("resume", run, "--steps", "4").exitCode()).isZero();
    assertThat(Files.readString(run.resolve("result.json"))).contains("\"steps\" : 4");
    assertThat(run.resolve("metrics.csv")).content().hasLineCount(5);
    Files.delete(run.resolve("checkpoints/latest.safetensors"));
    Files.delete(run.resolve("checkpoints/previous.safetensors"));
    assertRefused(Cli.run("evaluate", run), "no good checkpoint", "--restart");
    assertThat(Cli.run("resume", run, "--restart").exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"", "kind: mog\nsigma0: null\n", "kind: mog\nlr_schedule:\n"})
  void aSpecThatCannotBeReadIsNamedWithItsFolder(String spec) throws IOException {
    Files.writeString(folder.resolve("spec.yaml"), spec);
    for (String command : new String[] {"resume", "evaluate", "report"}) {
      assertRefused(Cli.run(command, folder), folder.toString(), "spec.yaml");
    }
  }

  @Test
  void controlCharactersOfPathsAreWrittenOut() {
    var cli = Cli.run("resume", folder.resolve("a\u001b[31mb\nc\u202e"));
    assertRefused(cli, "a\\u001b[31mb\\u000ac\\u202e is not a run directory");
    assertThat(Cli.run("resume", "x", "\u001b[2J").err()).doesNotContain("\u001b");
  }
}
