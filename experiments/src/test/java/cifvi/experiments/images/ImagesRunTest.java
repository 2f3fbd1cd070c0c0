package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.data.Binarisation;
import cifvi.experiments.data.Binarisation.Part;
import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.run.StepRow;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An image run can be stopped anywhere and ends with the same bits; the best epoch is tested. */
class ImagesRunTest {
  private static final ImagesSpec VAE = TinyImages.spec(ImageModel.VAE, 3, 50, 1e-2);

  @TempDir Path folder;

  private static Optional<ImagesResult> start(ImagesSpec spec, Path out, RunListener listener) {
    return Run.start(new ImagesExperiment(_ -> TinyImages.DATA), spec, out, listener);
  }

  private static Optional<ImagesResult> resume(Path path) {
    return Run.resume(
        new ImagesExperiment(_ -> TinyImages.DATA), path, Continuation.PLAIN, RunListener.SILENT);
  }

  private static RunListener stopAfter(long steps) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < steps;
      }
    };
  }

  /** Stops at the n-th word of the named task. */
  private static RunListener stopIn(String task, int n) {
    return new RunListener() {
      private int heard;

      @Override
      public boolean evaluating(String what, long done, long of) {
        return !what.equals(task) || ++heard < n;
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 9})
  void aRunStoppedAtAStepEndsWithTheSameBits(int steps) throws IOException {
    assertStoppedIsTheSame(VAE, stopAfter(steps));
  }

  @ParameterizedTest
  @CsvSource({"validation, 2", "validation, 3", "'log p(x), fresh', 2", "'log p(x), fixed', 3"})
  void aRunStoppedWhileEvaluatingEndsWithTheSameBits(String task, int n) throws IOException {
    assertStoppedIsTheSame(VAE, stopIn(task, n));
  }

  @Test
  void batchNormStatisticsAreKept() throws IOException {
    assertStoppedIsTheSame(TinyImages.spec(ImageModel.MAF_SMALL, 1, 50, 1e-3), stopAfter(2));
  }

  @Test
  void anObjectiveIsKept() throws IOException {
    var named = RunSpec.with(VAE, "objective", "dreg:3", ImagesSpec.class);
    assertStoppedIsTheSame(RunSpec.with(named, "warm_up", 4, ImagesSpec.class), stopAfter(2));
  }

  private static ImagesSpec averaged(ImagesSpec spec) {
    var falling = RunSpec.with(spec, "lr_schedule", "cosine", ImagesSpec.class);
    return RunSpec.with(falling, "average", "ema", ImagesSpec.class);
  }

  @Test
  void aFallingRateAndAveragedWeightsAreKept() throws IOException {
    assertStoppedIsTheSame(averaged(VAE), stopAfter(5));
  }

  /** Statistics of averaged weights are measured before every validation, and kept with them. */
  @Test
  void anAverageHasBatchNormStatisticsOfItsOwn() throws IOException {
    var spec = averaged(TinyImages.spec(ImageModel.MAF_SMALL, 3, 50, 1e-2));
    assertStoppedIsTheSame(spec, stopAfter(5));
    assertBestIsTested(spec, folder.resolve("tested"));
  }

  /** Patience is for rates that stay: one that falls is best at its end. */
  @Test
  void aFallingRateFallsToItsEnd() {
    var constant = TinyImages.spec(ImageModel.VAE, 30, 0, 0.03); // soon gets worse
    var spec = RunSpec.with(constant, "lr_schedule", "cosine", ImagesSpec.class);
    assertThat(assertBestIsTested(spec, folder.resolve("impatient")).epochs()).isLessThan(30);
    var patient = RunSpec.with(spec, "patience", null, ImagesSpec.class);
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
    var spec = RunSpec.with(averaged(VAE), "lr_warm_up", 2L, ImagesSpec.class);
    start(spec, folder.resolve("run"), RunListener.SILENT);
    var rows = StepRow.read(RunDirectory.read(folder.resolve("run")));
    assertThat(rows).hasSize(9);
    for (int i = 0; i < rows.size(); i++) {
      double expected = 1e-2 * Math.min(1, (i + 1) / 6.0) * (1 + Math.cos(Math.PI * i / 9)) / 2;
      assertThat(rows.get(i).learningRate()).isCloseTo(expected, within(1e-12));
    }
    assertThatThrownBy(() -> RunSpec.with(VAE, "lr_warm_up", 4L, ImagesSpec.class))
        .hasMessageContaining("--lr-warm-up: expected at most 3, got 4");
  }

  @Test
  void theAverageIsValidatedAndTested() {
    ImagesSpec spec = averaged(TinyImages.spec(ImageModel.VAE, 30, 1, 0.03));
    assertBestIsTested(spec, folder.resolve("averaged"));
    assertThat(EpochRow.read(RunDirectory.read(folder.resolve("averaged"))).getFirst().validElbo())
        .isNotEqualTo(firstBound(RunSpec.with(spec, "average", null, ImagesSpec.class)));
  }

  private double firstBound(ImagesSpec spec) {
    start(spec, folder.resolve("last"), RunListener.SILENT);
    return EpochRow.read(RunDirectory.read(folder.resolve("last"))).getFirst().validElbo();
  }

  @Test
  void thereIsNoWayBackThroughBatchNorms() {
    var spec = TinyImages.spec(ImageModel.MAF_SMALL, 1, 50, 1e-3);
    assertThatThrownBy(() -> RunSpec.with(spec, "objective", "path", ImagesSpec.class))
        .hasMessageContaining("--objective: path goes back through the layers, and batch norm");
  }

  private void assertStoppedIsTheSame(ImagesSpec spec, RunListener stop) throws IOException {
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    assertThat(start(spec, whole, RunListener.SILENT)).isPresent();
    assertThat(start(spec, parts, stop)).isEmpty();
    assertThat(resume(parts)).isPresent();
    for (String file :
        new String[] {
          "checkpoints/latest.safetensors",
          "checkpoints/best.safetensors",
          "likelihoods/fresh-S4-0.csv",
          "likelihoods/fixed-S4-0.csv"
        }) {
      assertThat(parts.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(withoutTimes(parts, "result.json")).isEqualTo(withoutTimes(whole, "result.json"));
    assertThat(withoutTimes(parts, "epochs.csv")).isEqualTo(withoutTimes(whole, "epochs.csv"));
  }

  /** {@code seconds} is the last column of epochs.csv. */
  private static String withoutTimes(Path run, String file) throws IOException {
    return Files.readString(run.resolve(file))
        .replaceAll("\"(seconds|ms_per_step)\" : [^,]*", "")
        .replaceAll(",[^,\n]*\n", "\n");
  }

  @Test
  void theBestEpochIsKeptAndTested() {
    ImagesSpec spec = TinyImages.spec(ImageModel.VAE, 30, 1, 0.03); // soon gets worse
    ImagesResult result = assertBestIsTested(spec, folder.resolve("run"));
    assertThat(result.epochs()).isEqualTo(result.bestEpoch() + 2);
  }

  private static ImagesResult assertBestIsTested(ImagesSpec spec, Path run) {
    ImagesResult result = start(spec, run, RunListener.SILENT).orElseThrow();
    var directory = RunDirectory.read(run);
    var epochs = EpochRow.read(directory);
    EpochRow best = epochs.get((int) result.bestEpoch() - 1);
    assertThat(epochs).hasSize((int) result.epochs());
    assertThat(epochs).allMatch(row -> row.validElbo() <= best.validElbo());
    assertThat(result.validElboBest()).isEqualTo(best.validElbo());
    try (var trained = Run.load(new ImagesExperiment(), directory, null, RunListener.SILENT)) {
      var train = TinyImages.DATA.train();
      int[] validation = spec.split(train).validation();
      var images =
          new BinaryImages(
              trained.model().parameters().backend(),
              new Binarisation(train, spec.seed(), Part.VALIDATION),
              validation);
      var again =
          new ImagesEvaluation(trained.model(), LogWeights.eager(trained.model()), spec.seed())
              .validate(images, spec.model().objective(), 1, Progress.SILENT);
      assertThat(again.mean()).isEqualTo(best.validElbo());
    }
    return result;
  }

  @Test
  void learns() {
    ImagesResult result = start(VAE, folder.resolve("run"), RunListener.SILENT).orElseThrow();
    assertThat(result.elbo()).isGreaterThan(-300); // log 2 for each of 784 pixels is 543
    assertThat(result.logLikelihood()).isGreaterThan(result.elbo());
    assertThat(result.testImages()).isEqualTo(230);
    assertThat(result.trainImages()).isEqualTo(300);
    assertThat(result.steps()).isEqualTo(9);
  }

  @Test
  void evaluationInOtherChunksGivesTheSameNumbersAndTakesWhatIsThere() throws IOException {
    Path run = folder.resolve("run");
    start(VAE, run, RunListener.SILENT);
    var directory = RunDirectory.read(run);
    Path file = folder.resolve("values.csv");
    try (var trained = Run.load(new ImagesExperiment(), directory, null, RunListener.SILENT)) {
      var rows =
          new ImagesEvaluation(trained.model(), LogWeights.eager(trained.model()), VAE.seed(), 7)
              .logLikelihoods(
                  TinyImages.DATA.test(), 230, TestBinarisation.FRESH, 4, 0, file, Progress.SILENT);
      var ofTheRun =
          new Likelihoods(directory).read(new Likelihoods.Key(TestBinarisation.FRESH, 4, 0));
      assertThat(rows).hasSameSizeAs(ofTheRun);
      for (int i = 0; i < rows.size(); i++) {
        assertThat(rows.get(i).logLikelihood())
            .isCloseTo(ofTheRun.get(i).logLikelihood(), within(1e-3));
      }
      String before = Files.readString(file);
      var again =
          new ImagesEvaluation(trained.model(), LogWeights.eager(trained.model()), VAE.seed())
              .logLikelihoods(
                  TinyImages.DATA.test(), 230, TestBinarisation.FRESH, 4, 0, file, (_, _) -> false);
      assertThat(again).isEqualTo(rows);
      assertThat(file).hasContent(before);
    }
  }

  @Test
  void evaluationsAreKeptOnceAndTheMostExactIsTheResult() {
    Path run = folder.resolve("run");
    start(VAE, run, RunListener.SILENT);
    var directory = RunDirectory.read(run);
    var likelihoods = new Likelihoods(directory);
    var first = new Likelihoods.Key(TestBinarisation.FRESH, 9, 0);
    var estimate = new Estimate(-80.5, 0.25, 200);
    likelihoods.keep(first, 200, estimate);
    likelihoods.keep(first, 200, estimate);
    likelihoods.keep(
        new Likelihoods.Key(TestBinarisation.FIXED, 9, 1), 200, new Estimate(-81, 0.5, 200));
    assertThat(run.resolve("evaluations.csv"))
        .hasContent(
            """
            binarisation,importance_samples,repeat,test_images,log_likelihood,log_likelihood_se
            fresh,9,0,200,-80.5,0.25
            fixed,9,1,200,-81.0,0.5
            """);
    assertThat(likelihoods.isMostExact(9, 200)).isFalse(); // the run has 230 images
    assertThat(likelihoods.isMostExact(3, 230)).isFalse(); // and 4 samples
    assertThat(likelihoods.isMostExact(4, 230)).isTrue();
    likelihoods.update(9, 230, new Estimate(-90, 1, 230), estimate, estimate);
    assertThat(likelihoods.isMostExact(4, 230)).isFalse();
    ImagesResult result = ImagesResult.read(directory);
    assertThat(result.logLikelihood()).isEqualTo(-80.5);
    assertThat(result.logLikelihoodFixedSe()).isEqualTo(0.25);
    assertThat(result.importanceSamples()).isEqualTo(9);
  }

  @Test
  void limitsBeyondTheDataAreRefusedBeforeAnythingIsWritten() {
    Path run = folder.resolve("run");
    assertThatThrownBy(
            () -> start(TinyImages.spec(ImageModel.VAE, 1, 1, 1e-3, 301), run, RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("--limit-train")
        .hasMessageContaining("300")
        .hasMessageContaining("301");
    assertThat(run).doesNotExist();
  }

  @Test
  void limitBelowABatchIsRefused() {
    assertThatThrownBy(() -> TinyImages.spec(ImageModel.VAE, 1, 1, 1e-3, 99))
        .hasMessageContaining("--limit-train")
        .hasMessageContaining("100")
        .hasMessageContaining("99");
  }

  @Test
  void theSpecSurvivesItsFile() {
    assertThat(ImagesSpec.parse(VAE.yaml())).isEqualTo(VAE);
  }
}
