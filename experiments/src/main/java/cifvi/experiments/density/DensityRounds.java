package cifvi.experiments.density;

import cifvi.density.Batches;
import cifvi.density.DensityEvaluation;
import cifvi.experiments.run.EarlyStopping;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.Stage;
import cifvi.experiments.run.StepRow;
import cifvi.experiments.run.Training;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The training of a density run: rounds of steps, each followed by validation with the same noise,
 * until all steps are taken, or else until the bound has stopped rising.
 */
final class DensityRounds implements AutoCloseable {
  private final DensitySpec spec;
  private final Run<DensitySpec> run;
  private final Stage stage;
  private final EarlyStopping stopping;
  private final DensityData data;
  private final DensityEvaluation evaluation;
  private final Batches batches;
  private final List<StepRow> roundSteps = new ArrayList<>();

  DensityRounds(Run<DensitySpec> run, Stage stage, DensityData data, DensityEvaluation evaluation) {
    this.spec = run.spec();
    this.run = run;
    this.stage = stage;
    this.stopping = Objects.requireNonNull(stage.state().stopping());
    this.data = data;
    this.evaluation = evaluation;
    this.batches =
        new Batches(
            stage.model().parameters().backend(),
            data.units().apply(data.train()),
            data.columns().size(),
            spec.batch(),
            spec.seed());
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
      StepRow.read(directory).stream().skip(firstStep()).forEach(roundSteps::add);
      while (!isDone()) {
        directory.setAsideResult();
        if (!train(training)) {
          return false;
        }
        EpochRow row = validate();
        log.add(row);
        log.flush();
        if (stopping.badEpochs() == 0) {
          directory.setAsideEvaluations(); // they are of the best round so far
          stage.keepBest();
        }
        training.save();
        roundSteps.clear();
        run.listener().epoch(row);
      }
      return true;
    }
  }

  private boolean isDone() {
    return spec.fixedSteps()
        .map(steps -> firstStep() >= steps)
        .orElseGet(() -> stopping.epochs() >= spec.epochs() || stopping.stop());
  }

  /** The steps that are left of the round. */
  private boolean train(Training training) {
    long all = spec.fixedSteps().orElse(spec.epochs() * batches.perRound());
    long until = Math.min(firstStep() + batches.perRound(), all);
    return training.run(until, all, batches::at, roundSteps::add);
  }

  /** Of the round that is next to be validated. */
  private long firstStep() {
    return stopping.epochs() * batches.perRound();
  }

  private EpochRow validate() {
    Estimate valid =
        evaluation.elbo(
            data.validation(), spec.seed(), Purpose.VALIDATE, 0, run.progress("validation"));
    stopping.add(valid.mean());
    double toUnits = -data.units().logScale(data.features());
    return new EpochRow(
        stopping.epochs(),
        stage.trainer().steps(),
        roundSteps.stream().mapToDouble(StepRow::elbo).average().orElseThrow() + toUnits,
        valid.mean(),
        valid.standardError(),
        stopping.best(),
        stopping.badEpochs(),
        null,
        roundSteps.stream().mapToDouble(StepRow::ms).sum() / 1e3);
  }

  @Override
  public void close() {
    batches.close();
  }
}
