package cifvi.experiments.images;

import static cifvi.experiments.images.TinyRuns.assertBestIsTested;
import static cifvi.experiments.images.TinyRuns.assertStoppedIsTheSame;
import static cifvi.experiments.images.TinyRuns.start;
import static cifvi.experiments.images.TinyRuns.stopAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.StepRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Training otherwise than in the paper: falling rates, averaged weights, bounds of many draws. */
class RecipeTest {
  private static final ImagesSpec VAE = TinyImages.spec(ImageModel.VAE, 3, 50, 1e-2);

  @TempDir Path folder;

  private static ImagesSpec averaged(ImagesSpec spec) {
    return spec.with("lr_schedule", "cosine").with("average", "ema");
  }

  @Test
  void aFallingRateAndAveragedWeightsAreKept() throws IOException {
    assertStoppedIsTheSame(folder, averaged(VAE), stopAfter(5));
  }

  /** Statistics of averaged weights are measured before every validation, and kept with them. */
  @Test
  void anAverageHasBatchNormStatisticsOfItsOwn() throws IOException {
    var spec = averaged(TinyImages.spec(ImageModel.MAF_SMALL, 3, 50, 1e-2));
    assertStoppedIsTheSame(folder, spec, stopAfter(5));
    assertBestIsTested(spec, folder.resolve("tested"));
  }

  /** Patience is for rates that stay: one that falls is best at its end. */
  @Test
  void aFallingRateFallsToItsEnd() {
    var constant = TinyImages.spec(ImageModel.VAE, 30, 0, 0.03); // soon gets worse
    var spec = constant.with("lr_schedule", "cosine");
    assertThat(assertBestIsTested(spec, folder.resolve("impatient")).epochs()).isLessThan(30);
    var patient = spec.with("patience", null);
    assertThat(assertBestIsTested(patient, folder.resolve("all")).epochs()).isEqualTo(30);
    assertThatThrownBy(
            () ->
                Run.resume(
                    new ImagesExperiment(_ -> TinyImages.DATA),
                    folder.resolve("all"),
                    new Continuation(Map.of("patience", 9L), false),
                    RunListener.SILENT))
        .hasMessageContaining("--patience: the run has none to raise");
  }

  @Test
  void theRateRisesAndFalls() {
    var spec = averaged(VAE).with("lr_warm_up", 2L);
    start(spec, folder.resolve("run"), RunListener.SILENT);
    var rows = StepRow.read(RunDirectory.read(folder.resolve("run")));
    assertThat(rows).hasSize(9);
    for (int i = 0; i < rows.size(); i++) {
      double expected = 1e-2 * Math.min(1, (i + 1) / 6.0) * (1 + Math.cos(Math.PI * i / 9)) / 2;
      assertThat(rows.get(i).learningRate()).isCloseTo(expected, within(1e-12));
    }
    assertThatThrownBy(() -> VAE.with("lr_warm_up", 4L))
        .hasMessageContaining("--lr-warm-up: expected at most 3, got 4");
  }

  @Test
  void theAverageIsValidatedAndTested() {
    ImagesSpec spec = averaged(TinyImages.spec(ImageModel.VAE, 30, 1, 0.03));
    assertBestIsTested(spec, folder.resolve("averaged"));
    assertThat(EpochRow.read(RunDirectory.read(folder.resolve("averaged"))).getFirst().validElbo())
        .isNotEqualTo(firstBound(spec.with("average", null)));
  }

  private double firstBound(ImagesSpec spec) {
    Path run = folder.resolve("first-" + spec.average() + spec.validationSamples());
    start(spec, run, RunListener.SILENT);
    return EpochRow.read(RunDirectory.read(run)).getFirst().validElbo();
  }

  /** Whatever is trained, the best epoch is the one with the best bound of so many draws. */
  @Test
  void epochsAreJudgedByTheBoundThatWasAskedFor() throws IOException {
    var ofSeven = TinyImages.spec(ImageModel.VAE, 30, 1, 0.03).with("validation_samples", 7);
    assertBestIsTested(ofSeven, folder.resolve("seven"));
    double one = firstBound(VAE);
    assertThat(firstBound(VAE.with("validation_samples", 1))).isEqualTo(one);
    assertThat(firstBound(VAE.with("validation_samples", 7))).isGreaterThan(one + 0.1);
    assertStoppedIsTheSame(folder, VAE.with("validation_samples", 7), stopAfter(5));
    assertThatThrownBy(() -> VAE.with("validation_samples", 0))
        .hasMessageContaining("--validation-samples: expected at least 1, got 0");
  }
}
