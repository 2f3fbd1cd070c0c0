package cifvi.experiments.images;

import cifvi.experiments.data.Binarisation;
import cifvi.experiments.data.Binarisation.Part;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.data.Shuffle;
import cifvi.experiments.run.EarlyStopping;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.Stage;
import cifvi.experiments.run.StepRow;
import cifvi.experiments.run.Training;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Estimate;
import cifvi.vi.FreeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;

/**
 * The training of an image run: epochs in a fresh order with fresh binarisation, each followed by
 * validation, until the validation bound has stopped rising.
 */
final class Epochs implements AutoCloseable {
  /** About as many as count in running averages of batches of 100. */
  private static final int MEASURED = 2000;

  private final ImagesSpec spec;
  private final Run<ImagesSpec> run;
  private final Stage stage;
  private final EarlyStopping stopping;
  private final int[] train;
  private final BinaryImages binary;
  private final BinaryImages validation;
  private final ImagesEvaluation evaluation;
  private final int stepsPerEpoch;
  private final List<StepRow> epochSteps = new ArrayList<>();

  Epochs(Run<ImagesSpec> run, Stage stage, ImageSet images, ImagesEvaluation evaluation) {
    this.spec = run.spec();
    this.run = run;
    this.stage = stage;
    this.stopping = Objects.requireNonNull(stage.state().stopping());
    Backend backend = stage.model().parameters().backend();
    this.train = spec.trainImages(images);
    this.binary =
        new BinaryImages(backend, new Binarisation(images, spec.seed(), Part.TRAIN), train);
    this.validation =
        new BinaryImages(
            backend,
            new Binarisation(images, spec.seed(), Part.VALIDATION),
            spec.split(images).validation());
    this.evaluation = evaluation;
    this.stepsPerEpoch = train.length / spec.batch();
  }

  /**
   * Trains to the end, or until the listener says stop; either way the last state is saved.
   *
   * @throws ArithmeticException where steps cease to be finite
   */
  boolean run() {
    RunDirectory directory = run.directory();
    try (var training = stage.training();
        var log = EpochRow.log(directory, stopping.epochs())) {
      StepRow.read(directory).stream().skip(firstStep()).forEach(epochSteps::add);
      while (stopping.epochs() < spec.epochs() && !stopping.stop()) {
        directory.setAsideResult();
        if (!train(training)) {
          return false;
        }
        EpochRow row = validate();
        log.add(row);
        log.flush();
        if (spec.batchNormScale() == BatchNormScale.DIVIDED) {
          FreeScale.divideOut(stage.model());
        }
        if (stopping.badEpochs() == 0) {
          directory.setAsideEvaluations(); // they are of the best epoch so far
          stage.keepBest();
        }
        training.save();
        epochSteps.clear();
        run.listener().epoch(row);
      }
      return true;
    }
  }

  /** The steps that are left of the epoch. */
  private boolean train(Training training) {
    long epoch = stopping.epochs();
    long first = firstStep();
    binary.reorder(Shuffle.order(spec.seed(), epoch, train));
    return training.run(
        first + stepsPerEpoch,
        spec.epochs() * stepsPerEpoch,
        step -> binary.draw(epoch, (int) (step - first) * spec.batch(), spec.batch()),
        epochSteps::add);
  }

  /** Of the epoch that is next to be validated. */
  private long firstStep() {
    return stopping.epochs() * stepsPerEpoch;
  }

  private EpochRow validate() {
    long round = stopping.epochs() + 1;
    OptionalDouble variance = FreeScale.largestVariance(stage.model());
    measure();
    Estimate valid =
        stage.averaged(
            () ->
                evaluation.validate(
                    validation,
                    spec.validationDraws(),
                    spec.validationNoise().round(round),
                    run.progress("validation")));
    stopping.add(valid.mean());
    return row(valid, variance.isPresent() ? variance.getAsDouble() : null);
  }

  /** Statistics of averaged weights, of some training images as the epoch has had them. */
  private void measure() {
    if (spec.averaged() && spec.model().batchNorm()) {
      long epoch = stopping.epochs();
      Backend backend = stage.model().parameters().backend();
      try (var _ = new PointerScope()) {
        stage.measureAverage(
            binary.draw(epoch, 0, Math.min(MEASURED, train.length)),
            new CounterRng(backend, spec.seed(), Purpose.MEASURE).step(epoch));
      }
    }
  }

  private EpochRow row(Estimate valid, @Nullable Double runningVariance) {
    return new EpochRow(
        stopping.epochs(),
        stage.trainer().steps(),
        epochSteps.stream().mapToDouble(StepRow::elbo).average().orElseThrow(),
        valid.mean(),
        valid.standardError(),
        stopping.best(),
        stopping.badEpochs(),
        runningVariance,
        epochSteps.stream().mapToDouble(StepRow::ms).sum() / 1e3);
  }

  @Override
  public void close() {
    binary.close();
    validation.close();
  }
}
