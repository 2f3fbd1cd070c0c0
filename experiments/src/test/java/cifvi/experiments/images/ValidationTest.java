package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.data.Binarisation;
import cifvi.experiments.data.Binarisation.Part;
import cifvi.experiments.files.UserException;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.ForwardWeights;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What epochs are judged by: the bound that is trained, with the same draws every time or not. */
class ValidationTest {
  /** So small that no float32 parameter moves: epochs differ by nothing but their noise. */
  private static final double STILL = 1e-30;

  @TempDir Path folder;

  private List<EpochRow> epochs(ImagesSpec spec) {
    return epochs(spec, "run");
  }

  private List<EpochRow> epochs(ImagesSpec spec, String name) {
    Path run = folder.resolve(name);
    assertThat(Run.start(new ImagesExperiment(_ -> TinyImages.DATA), spec, run, RunListener.SILENT))
        .isPresent();
    return EpochRow.read(RunDirectory.read(run));
  }

  @Test
  void withFixedNoiseAnEpochThatChangedNothingIsNoBetter() {
    var epochs = epochs(TinyImages.spec(ImageModel.VAE, 3, 50, STILL));
    assertThat(epochs).extracting(EpochRow::validElbo).containsOnly(epochs.getFirst().validElbo());
    assertThat(epochs).extracting(EpochRow::badEpochs).containsExactly(0L, 1L, 2L);
  }

  @Test
  void freshNoiseIsAnotherEveryEpochAndBeginsWithTheFixedOne() {
    var fixed = epochs(TinyImages.spec(ImageModel.VAE, 1, 50, STILL)).getFirst();
    var spec = TinyImages.spec(ImageModel.VAE, 3, 50, STILL).with("validation_noise", "fresh");
    var fresh = epochs(spec, "fresh");
    assertThat(fresh).extracting(EpochRow::validElbo).doesNotHaveDuplicates();
    assertThat(fresh.getFirst().validElbo()).isEqualTo(fixed.validElbo());
  }

  @Test
  void iwaeIsValidatedByItsOwnBound() {
    var spec = TinyImages.spec(ImageModel.IWAE, 1, 50, STILL);
    double validated = epochs(spec).getFirst().validElbo();
    try (var trained =
            Run.load(
                new ImagesExperiment(),
                RunDirectory.read(folder.resolve("run")),
                null,
                RunListener.SILENT);
        var _ = new PointerScope()) {
      var backend = trained.model().parameters().backend();
      var train = TinyImages.DATA.train();
      var binarisation = new Binarisation(train, spec.seed(), Part.VALIDATION);
      int[] rows = spec.split(train).validation();
      var x = new BinaryImages(backend, binarisation, rows).draw(1, 0, rows.length);
      var rng = new CounterRng(backend, spec.seed(), Purpose.VALIDATE).step(1);
      var weights = new ForwardWeights(trained.model(), 1000, Progress.SILENT);
      assertThat(validated).isCloseTo(weights.logLikelihood(x, 5, rng).mean(), within(1e-3));
      assertThat(validated).isGreaterThan(weights.auxiliaryElbo(x, 5, rng).mean() + 0.1);
    }
  }

  @Test
  void theLargestRunningVarianceIsLoggedWhereThereIsOne() {
    assertThat(epochs(TinyImages.spec(ImageModel.MAF_SMALL, 2, 50, 1e-3)))
        .extracting(EpochRow::runningVariance)
        .hasSize(2)
        .allSatisfy(variance -> assertThat(variance).isPositive());
  }

  @Test
  void aModelWithoutBatchNormHasAnEmptyCell() throws IOException {
    assertThat(epochs(TinyImages.spec(ImageModel.VAE, 1, 50, 1e-3)).getFirst().runningVariance())
        .isNull();
    assertThat(Files.readString(folder.resolve("run/epochs.csv"))).contains(",0,,");
  }

  /** Its best value would be one of the ELBO, those to come of another bound. */
  @Test
  void anIwaeOfAVersionThatValidatedOtherwiseIsNotGoneOnWith() throws IOException {
    Path run = folder.resolve("run");
    var stop =
        new RunListener() {
          @Override
          public boolean step(long done, long of, double elbo) {
            return false;
          }
        };
    var spec = TinyImages.spec(ImageModel.IWAE, 1, 50, 1e-3);
    assertThat(Run.start(new ImagesExperiment(_ -> TinyImages.DATA), spec, run, stop)).isEmpty();
    Path file = run.resolve("spec.yaml");
    Files.writeString(file, Files.readString(file).replaceAll("validation_noise: .*\n", ""));
    assertThatThrownBy(
            () ->
                Run.resume(
                    new ImagesExperiment(_ -> TinyImages.DATA),
                    run,
                    Continuation.PLAIN,
                    RunListener.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("validated iwae by the ELBO")
        .hasMessageContaining("start it anew");
  }

  @Test
  void theSpecOfAnEarlierVersionMeansWhatItMeantThen() {
    var spec = TinyImages.spec(ImageModel.VAE, 1, 50, 1e-3);
    String earlier = spec.yaml().replaceAll("(validation_noise|batch_norm_scale): .*\n", "");
    assertThat(earlier).isNotEqualTo(spec.yaml());
    assertThat(ImagesSpec.parse(earlier).validationNoise()).isEqualTo(ValidationNoise.FRESH);
    assertThat(ImagesSpec.parse(earlier).batchNormScale()).isEqualTo(BatchNormScale.FREE);
  }
}
