package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.PowerLoss;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Estimate;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power fails while an image model is trained, tested at its end, or evaluated later. Gone on with,
 * perhaps after the remedy that was named, the run ends with the bytes of one left in peace.
 */
class PowerLossTest {
  private static final int LOSSES = 30;
  private static final int IMAGES = 230;
  private static final int SAMPLES = 5;

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
    ImagesSpec spec = TinyImages.spec(ImageModel.VAE, 3, 50, 1e-2);
    Path whole = folder.resolve("whole");
    Run.start(new ImagesExperiment(_ -> TinyImages.DATA), spec, whole, RunListener.SILENT);
    evaluate(whole, new PowerLoss());
    var power = new PowerLoss();
    Path run = folder.resolve("run");
    Run.start(
        new ImagesExperiment(_ -> TinyImages.DATA), spec, run, new Remembering(power, run, 2));
    power.remember(run);
    for (int steps : new int[] {4, 5, 7, 10}) {
      resume(run, Continuation.PLAIN, new Remembering(power, run, steps));
      power.remember(run);
    }
    evaluate(run, power);

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
    assertThat(refused).isBetween(5, LOSSES - 8); // both happen
  }

  /** Whether it went on without help; else the remedies are tried in the order they are named. */
  private static boolean goesOn(Path lost) throws IOException {
    try {
      resume(lost, Continuation.PLAIN, RunListener.SILENT);
      evaluate(lost, new PowerLoss());
      return true;
    } catch (UserException e) {
      assertThat(e).hasMessageContainingAll(lost.toString(), "--restart");
      if (String.valueOf(e.getMessage()).contains("remove that one and resume")) {
        Files.delete(lost.resolve("result.json"));
        goesOn(lost);
      } else {
        resume(lost, new Continuation(Map.of(), true), RunListener.SILENT);
        evaluate(lost, new PowerLoss());
      }
      return false;
    }
  }

  private static void resume(Path run, Continuation how, RunListener listener) {
    Run.resume(new ImagesExperiment(_ -> TinyImages.DATA), run, how, listener);
  }

  /** As {@code cifvi evaluate} does. */
  private static void evaluate(Path run, PowerLoss power) {
    try (var directory = RunDirectory.open(run);
        var trained = Run.load(new ImagesExperiment(), directory, null, RunListener.SILENT);
        var weights = trained.weights()) {
      var evaluation = new ImagesEvaluation(trained.model(), weights, 3);
      Estimate fresh = estimate(directory, evaluation, TestBinarisation.FRESH, power);
      Estimate fixed = estimate(directory, evaluation, TestBinarisation.FIXED, power);
      Estimate elbo = evaluation.testElbo(TinyImages.DATA.test(), IMAGES, Progress.SILENT);
      new Likelihoods(directory).update(SAMPLES, IMAGES, elbo, fresh, fixed);
      power.remember(run);
    }
  }

  private static Estimate estimate(
      RunDirectory directory,
      ImagesEvaluation evaluation,
      TestBinarisation binarisation,
      PowerLoss power) {
    var likelihoods = new Likelihoods(directory);
    var key = new Likelihoods.Key(binarisation, SAMPLES, 0);
    Progress progress =
        (_, _) -> {
          power.remember(directory.path());
          return true;
        };
    Estimate estimate =
        likelihoods.estimate(evaluation, TinyImages.DATA.test(), IMAGES, key, progress);
    likelihoods.keep(key, IMAGES, estimate);
    return estimate;
  }

  /** Of a run that had ended the best epoch and its result count, not the last. */
  private static void assertSame(Path whole, Path run, boolean ended) throws IOException {
    for (String file :
        List.of(
            ended ? "spec.yaml" : "checkpoints/latest.safetensors",
            "checkpoints/best.safetensors",
            "likelihoods/fresh-S5-0.csv",
            "likelihoods/fixed-S5-0.csv",
            "evaluations.csv")) {
      assertThat(run.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(result(run)).isEqualTo(result(whole));
  }

  private static String result(Path run) throws IOException {
    return Files.readString(run.resolve("result.json"))
        .replaceAll("\"(seconds|ms_per_step)\" : [^,]*", "");
  }
}
