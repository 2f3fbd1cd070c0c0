package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.files.UserException;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.PowerLoss;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.posterior.Placement;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power fails while a mixture model is trained, evaluated at its end, or evaluated later. Gone on
 * with, perhaps after the remedy that was named, the run ends with the bytes of one left in peace.
 */
class MogPowerLossTest {
  private static final int LOSSES = 60;

  @TempDir private Path folder;

  /** Stops after some steps, and remembers the files whenever it is told of an evaluation. */
  private record Remembering(PowerLoss power, Path run, long steps) implements RunListener {
    @Override
    public boolean step(long done, long of, double elbo) {
      return done < steps;
    }

    @Override
    public boolean evaluating(String what, long done, long of) {
      power.remember(run);
      return true;
    }
  }

  @Test
  void whateverIsLeftIsGoneOnWithOrRefusedWithTheRemedy() throws IOException {
    MogSpec spec = MogRunTest.spec(MogSpec.Flow.NSF, Placement.PAPER, Average.EMA);
    Path whole = folder.resolve("whole");
    Run.start(new MogExperiment(MogRunTest.SMALL), spec, whole, RunListener.SILENT);
    evaluate(whole);
    var power = new PowerLoss();
    Path run = folder.resolve("run");
    Run.start(new MogExperiment(MogRunTest.SMALL), spec, run, new Remembering(power, run, 2));
    power.remember(run);
    for (int steps : new int[] {5, 7, 11, 12}) {
      resume(run, Continuation.PLAIN, new Remembering(power, run, steps));
      power.remember(run);
    }
    evaluate(run, power);
    assertThat(power.moments()).isGreaterThan(8);

    var random = new Random(5);
    int refused = 0;
    for (int loss = 0; loss < LOSSES; loss++) {
      Path lost = folder.resolve("lost-" + loss);
      power.leave(lost, random);
      boolean ended = Files.exists(lost.resolve("result.json"));
      boolean goesOn = goesOn(lost);
      refused += goesOn ? 0 : 1;
      assertSame(whole, lost, ended && goesOn);
    }
    assertThat(refused).isBetween(5, LOSSES - 20); // both happen
  }

  /** Whether it went on without help; else the remedies are tried in the order they are named. */
  private static boolean goesOn(Path lost) throws IOException {
    try {
      resume(lost, Continuation.PLAIN, RunListener.SILENT);
      evaluate(lost);
      return true;
    } catch (UserException e) {
      assertThat(e).hasMessageContainingAll(lost.toString(), "--restart");
      if (String.valueOf(e.getMessage()).contains("remove that one and resume")) {
        Files.delete(lost.resolve("result.json"));
        goesOn(lost);
      } else {
        resume(lost, new Continuation(Map.of(), true), RunListener.SILENT);
        evaluate(lost);
      }
      return false;
    }
  }

  private static void resume(Path run, Continuation how, RunListener listener) {
    Run.resume(new MogExperiment(MogRunTest.SMALL), run, how, listener);
  }

  private static void evaluate(Path run) {
    evaluate(run, new PowerLoss());
  }

  /** As {@code cifvi evaluate} does. */
  private static void evaluate(Path run, PowerLoss power) {
    try (var directory = RunDirectory.open(run);
        var trained = Run.load(new MogExperiment(), directory, null, RunListener.SILENT);
        var weights = trained.weights()) {
      Progress progress =
          (_, _) -> {
            power.remember(run);
            return true;
          };
      var bracket = new MogEvaluation(trained.model(), weights, 7).marginalElbo(60, 4, 0, progress);
      var evaluations = new Evaluations(directory);
      evaluations.append(60, 4, 0, bracket, 1);
      power.remember(run);
      evaluations.update(60, 4, bracket);
      power.remember(run);
    }
  }

  /**
   * Of a run that had ended the model and its result count; nobody reads the rest of its metrics.
   */
  private static void assertSame(Path whole, Path run, boolean ended) throws IOException {
    if (ended) {
      Path metrics = run.resolve("metrics.csv");
      Files.copy(whole.resolve("metrics.csv"), metrics, StandardCopyOption.REPLACE_EXISTING);
    }
    MogRunTest.assertSameRun(whole, run);
    assertThat(run.resolve("evaluations.csv"))
        .hasSameTextualContentAs(whole.resolve("evaluations.csv"));
  }
}
