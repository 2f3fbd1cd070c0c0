package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evaluations of a finished run of mixtures. */
class EvaluateCommandTest {
  @TempDir private Path folder;

  @Test
  void aCruderEstimateDoesNotReplaceTheResult() throws IOException {
    Path run = folder.resolve("run");
    assertThat(Cli.run("mog", "--model", "nsf", "--steps", "2", "--out", run).exitCode()).isZero();
    String before = Files.readString(run.resolve("result.json"));
    var crude = Cli.run("evaluate", run, "--outer", "50", "--inner", "1");
    assertThat(crude.out()).contains("result.json keeps the more exact one of N = 10,000, M = 100");
    assertThat(run.resolve("result.json")).hasContent(before);
    var finer = Cli.run("evaluate", run, "--outer", "10001", "--inner", "100");
    assertThat(finer.out()).contains("kept in result.json");
    assertThat(run.resolve("result.json")).content().contains("\"outer\" : 10001");
    assertThat(run.resolve("evaluations.csv")).content().hasLineCount(3);
  }

  @Test
  void chunksBoundMemoryAndChangeNothingElse() {
    Path run = folder.resolve("run");
    assertThat(Cli.run("mog", "--model", "nsf", "--steps", "2", "--out", run).exitCode()).isZero();
    var whole = Cli.run("evaluate", run, "--outer", "50", "--inner", "4");
    var chunks = Cli.run("evaluate", run, "--outer", "50", "--inner", "4", "--chunk", "7");
    assertThat(whole.out()).contains("N = 50, M = 4");
    assertThat(chunks.out()).isEqualTo(whole.out());
    if (Engines.vectorBits().orElse(0) >= 256) { // libtorch, unlike kernels, rounds by chunk
      assertThat(run.resolve("evaluations.csv")).content().hasLineCount(2); // the same estimate
    }
    var none = Cli.run("evaluate", run, "--chunk", "0");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("--chunk: expected at least 1, got 0");
    assertThat(Cli.run("evaluate", run, "--limit-test", "5").err())
        .contains("--limit-test: is not for runs of kind mog");
    assertThat(Cli.run("evaluate", run, "--validation", "5").err())
        .contains("--validation: is not for runs of kind mog");
  }
}
