package cifvi.experiments.images;

import cifvi.experiments.data.DataDirectory;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.data.Split;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.models.ImageModel.Nets;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.LrSchedule;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Schedule;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one image run, under the names of the command line's options; the paper's are the
 * defaults there.
 *
 * @param dataDir null for the user's cache
 * @param patience epochs in a row without a better validation bound that are borne; null for any
 *     number
 * @param validationSamples K of the importance-weighted bound that epochs are validated by; null
 *     for that of the bound that is trained
 * @param limitTrain number of training images used; null for all
 * @param limitTest number of test images used; null for all
 * @param importanceSamples S of the test log-likelihood; 0 leaves it out
 * @param fixedBinarisation whether the test log-likelihood is computed on the fixed binarisation
 *     too
 * @param objective null for that of the model
 * @param warmUp steps in which the weight of log p rises; null for none
 * @param lrSchedule null for a constant rate; a cosine ends with the last of {@code epochs}
 * @param lrWarmUp epochs in which the rate rises from zero, whatever the schedule; null for none
 * @param average of the weights, which is validated and tested in their place; null for none
 * @param clip largest gradient norm; infinite for no clipping
 */
public record ImagesSpec(
    String kind,
    ImageModel model,
    DataSet data,
    @Nullable String dataDir,
    Decoder decoder,
    Placement placement,
    Nets nets,
    long epochs,
    @Nullable Integer patience,
    ValidationNoise validationNoise,
    @Nullable Integer validationSamples,
    BatchNormScale batchNormScale,
    int batch,
    @Nullable Integer limitTrain,
    @Nullable Integer limitTest,
    int importanceSamples,
    boolean fixedBinarisation,
    @Nullable NamedObjective objective,
    @Nullable Long warmUp,
    double learningRate,
    @Nullable LrSchedule lrSchedule,
    @Nullable Long lrWarmUp,
    @Nullable Average average,
    double clip,
    long seed,
    int threads,
    Precision precision,
    String engine,
    String device,
    boolean tf32)
    implements RunSpec {
  public static final String KIND = "images";

  /** Of the authors' code. */
  public static final Integer PATIENCE = 50;

  /** A hundred times the paper's. */
  private static final int MOST_BATCH = 10_000;

  /** As many as the test has. */
  private static final int MOST_VALIDATION_SAMPLES = 1000;

  public ImagesSpec {
    RunSpec.require(kind.equals(KIND), "kind: expected images, got " + kind);
    RunSpec.requireCount("--epochs", epochs, Integer.MAX_VALUE);
    RunSpec.require(
        patience == null || patience >= 0,
        "--patience: expected a number from 0 on, got " + patience);
    if (validationSamples != null) {
      RunSpec.requireCount("--validation-samples", validationSamples, MOST_VALIDATION_SAMPLES);
    }
    RunSpec.requireCount("--batch", batch, MOST_BATCH);
    if (limitTrain != null) {
      RunSpec.require(
          limitTrain >= batch,
          "--limit-train: expected at least one batch of " + batch + " images, got " + limitTrain);
    }
    if (limitTest != null) {
      RunSpec.requireCount("--limit-test", limitTest, Integer.MAX_VALUE);
    }
    RunSpec.require(
        importanceSamples >= 0,
        "--importance-samples: expected a number from 0 on, got " + importanceSamples);
    RunSpec.require(
        importanceSamples > 0 || !fixedBinarisation,
        "--fixed-binarisation: needs --importance-samples of at least 1, got 0");
    RunSpec.require(
        objective == null || !objective.goesBack() || !model.batchNorm(),
        "--objective: "
            + objective
            + " goes back through the layers, and batch norm has no way back in training");
    if (objective != null) {
      objective.requireWhole();
    }
    RunSpec.requireWarmUp(warmUp);
    if (lrWarmUp != null) {
      RunSpec.requireCount("--lr-warm-up", lrWarmUp, epochs);
    }
    RunSpec.requirePositive("--learning-rate", learningRate);
    RunSpec.require(clip > 0, "--clip: expected a positive number, got " + clip);
    RunSpec.requireCommon(threads, engine, device, tf32);
  }

  /** A run of the paper's Table 1, on MNIST with the small decoder. */
  public static ImagesSpec paper(ImageModel model, Placement placement, long seed) {
    return new ImagesSpec(
        KIND,
        model,
        DataSet.MNIST,
        null,
        Decoder.SMALL,
        placement,
        Nets.RELEASED,
        1000,
        PATIENCE,
        ValidationNoise.FIXED,
        null,
        BatchNormScale.DIVIDED,
        100,
        null,
        null,
        1000,
        false,
        null,
        null,
        1e-3,
        null,
        null,
        null,
        model.clip().orElse(Double.POSITIVE_INFINITY),
        seed,
        1,
        Precision.FLOAT32,
        "auto",
        "cpu",
        false);
  }

  /** The same with another value of one setting. */
  public ImagesSpec with(String key, @Nullable Object value) {
    return RunSpec.with(this, key, value, ImagesSpec.class);
  }

  public static ImagesSpec read(RunDirectory directory) {
    return RunSpec.read(directory, ImagesSpec.class);
  }

  public static ImagesSpec parse(String yaml) {
    return RunSpec.parse(yaml, ImagesSpec.class);
  }

  @Override
  public Set<String> growing() {
    return lrSchedule == null || lrSchedule == LrSchedule.CONSTANT
        ? Set.of("epochs", "patience")
        : Set.of("patience");
  }

  /** The learning rate, for so many steps an epoch. */
  Schedule schedule(long stepsPerEpoch) {
    var schedule = lrSchedule == null ? LrSchedule.CONSTANT : lrSchedule;
    Schedule all = schedule.over(learningRate, epochs * stepsPerEpoch);
    return lrWarmUp == null ? all : all.warmedUp(lrWarmUp * stepsPerEpoch);
  }

  /** Epochs in a row without a better bound after which training goes on. */
  public int borne() {
    return patience == null ? Integer.MAX_VALUE : patience;
  }

  /** Draws of an image that is validated. */
  int validationDraws() {
    return validationSamples == null ? model.objective().draws() : validationSamples;
  }

  boolean averaged() {
    return average == Average.EMA;
  }

  /** What is trained: what was asked for, or what the model has. */
  Objective maximised() {
    var named = objective == null ? new NamedObjective(model.objective()) : objective;
    return named.warmedUp(warmUp);
  }

  Model build(Backend backend) {
    return model.build(backend, seed, decoder, placement, nets);
  }

  OptionalDouble clipping() {
    return clip == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(clip);
  }

  /** A tenth is for validation: 6,000 of 60,000. */
  Split split(ImageSet images) {
    return Split.of(seed, images.count(), images.count() / 10);
  }

  /** The images that are validated on. */
  public ImageSet validationImages(ImageSet images) {
    return images.subset(split(images).validation());
  }

  /** The numbers of the images that are trained on. */
  int[] trainImages(ImageSet images) {
    int[] all = split(images).train();
    return limitTrain == null ? all : Arrays.copyOf(all, limitTrain);
  }

  /** The images, whose files are checked on the way. */
  public ImageData load() {
    return load(dataDir == null ? DataDirectory.byDefault() : Path.of(dataDir));
  }

  /** The images, found in {@code folder} now. */
  public ImageData load(Path folder) {
    return ImageData.load(data, folder);
  }
}
