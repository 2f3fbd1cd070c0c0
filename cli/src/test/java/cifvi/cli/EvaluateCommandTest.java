package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evaluations of a finished run of mixtures. */
class EvaluateCommandTest {
  @TempDir private Path folder;

  @Test
  void chunksBoundMemoryAndChangeNothingElse() {
    Path run = folder.resolve("run");
    assertThat(Cli.run("mog", "--model", "nsf", "--steps", "2", "--out", run).exitCode()).isZero();
    var whole = Cli.run("evaluate", run, "--outer", "50", "--inner", "4");
    var chunks = Cli.run("evaluate", run, "--outer", "50", "--inner", "4", "--chunk", "7");
    assertThat(whole.out()).contains("N = 50, M = 4");
    assertThat(chunks.out()).isEqualTo(whole.out());
    var none = Cli.run("evaluate", run, "--chunk", "0");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("--chunk: expected at least 1, got 0");
    assertThat(Cli.run("evaluate", run, "--limit-test", "5").err())
        .contains("--limit-test: is not for runs of kind mog");
  }
}
