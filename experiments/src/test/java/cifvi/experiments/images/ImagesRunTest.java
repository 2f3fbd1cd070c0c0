package cifvi.experiments.images;

import static cifvi.experiments.images.TinyRuns.assertBestIsTested;
import static cifvi.experiments.images.TinyRuns.assertStoppedIsTheSame;
import static cifvi.experiments.images.TinyRuns.start;
import static cifvi.experiments.images.TinyRuns.stopAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An image run can be stopped anywhere and ends with the same bits; the best epoch is tested. */
class ImagesRunTest {
  private static final ImagesSpec VAE = TinyImages.spec(ImageModel.VAE, 3, 50, 1e-2);

  @TempDir Path folder;

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
    assertStoppedIsTheSame(folder, VAE, stopAfter(steps));
  }

  @ParameterizedTest
  @CsvSource({"validation, 2", "validation, 3", "'log p(x), fresh', 2", "'log p(x), fixed', 3"})
  void aRunStoppedWhileEvaluatingEndsWithTheSameBits(String task, int n) throws IOException {
    assertStoppedIsTheSame(folder, VAE, stopIn(task, n));
  }

  @Test
  void batchNormStatisticsAreKept() throws IOException {
    assertStoppedIsTheSame(
        folder, TinyImages.spec(ImageModel.MAF_SMALL, 1, 50, 1e-3), stopAfter(2));
  }

  @Test
  void anObjectiveIsKept() throws IOException {
    assertStoppedIsTheSame(
        folder, VAE.with("objective", "dreg:3").with("warm_up", 4), stopAfter(2));
  }

  @Test
  void thereIsNoWayBackThroughBatchNorms() {
    var spec = TinyImages.spec(ImageModel.MAF_SMALL, 1, 50, 1e-3);
    assertThatThrownBy(() -> spec.with("objective", "path"))
        .hasMessageContaining("--objective: path goes back through the layers, and batch norm");
  }

  @Test
  void theBestEpochIsKeptAndTested() {
    ImagesSpec spec = TinyImages.spec(ImageModel.VAE, 30, 1, 0.03); // soon gets worse
    ImagesResult result = assertBestIsTested(spec, folder.resolve("run"));
    assertThat(result.epochs()).isEqualTo(result.bestEpoch() + 2);
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
    assertThatThrownBy(() -> start(VAE.with("limit_train", 301), run, RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("--limit-train")
        .hasMessageContaining("300")
        .hasMessageContaining("301");
    assertThat(run).doesNotExist();
  }

  @Test
  void limitBelowABatchIsRefused() {
    assertThatThrownBy(() -> VAE.with("limit_train", 99))
        .hasMessageContaining("--limit-train")
        .hasMessageContaining("100")
        .hasMessageContaining("99");
  }

  @Test
  void theSpecSurvivesItsFile() {
    assertThat(ImagesSpec.parse(VAE.yaml())).isEqualTo(VAE);
  }
}
