package cifvi.experiments.density;

import cifvi.density.DensityEvaluation;
import cifvi.density.FittedDensity;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.run.EarlyStopping;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.ModelExperiment;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.Stage;
import cifvi.tensor.Backend;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Density runs: training with validation, then a test of the best parameters. */
public final class DensityExperiment implements ModelExperiment<DensitySpec, DensityResult> {
  /** In a run's folder, what {@link FittedDensity#load} reads. */
  public static final String FILE = "density.cifvi";

  private List<Object> source = List.of();
  private @Nullable DensityData found;

  /** That has read no rows yet. */
  public DensityExperiment() {}

  /** The rows of a run; those asked for last are kept. */
  public DensityData data(DensitySpec spec) {
    if (found == null || !spec.source().equals(source)) {
      found = DensityData.of(spec);
      source = spec.source();
    }
    return found;
  }

  @Override
  public Class<DensitySpec> specType() {
    return DensitySpec.class;
  }

  @Override
  public Model build(DensitySpec spec, Backend backend) {
    return spec.shape(data(spec)).build(backend, spec.seed());
  }

  @Override
  public Objective objective(DensitySpec spec) {
    return new Objective.Elbo();
  }

  @Override
  public void require(DensitySpec spec) {
    data(spec);
  }

  @Override
  public Optional<DensityResult> result(RunDirectory directory, DensitySpec spec) {
    return directory.has(RunDirectory.RESULT)
        ? Optional.of(DensityResult.read(directory)).filter(result -> result.ends(spec))
        : Optional.empty();
  }

  @Override
  public Optional<DensityResult> train(Run<DensitySpec> run, Model model) {
    DensitySpec spec = run.spec();
    DensityData data = data(spec);
    try (Stage stage = run.stage(model, settings(spec))) {
      EarlyStopping stopping = Objects.requireNonNull(stage.state().stopping());
      stage.restore(EpochRow.readWhileGood(run.directory()).size());
      var evaluation = evaluation(spec, model, stage.weights());
      @Nullable Long brokeOffAtEpoch = null;
      try (var rounds = new DensityRounds(run, stage, data, evaluation)) {
        if (!rounds.run()) {
          return Optional.empty();
        }
      } catch (ArithmeticException e) {
        if (stopping.bestEpoch() == 0) {
          throw e; // there is nothing to test
        }
        run.listener().note(e.getMessage() + ". The best parameters until then are tested");
        brokeOffAtEpoch = stopping.epochs() + 1;
      }
      run.checkpoints().restoreParameters(model.parameters(), run.listener()::note);
      save(run, evaluation, stopping.best());
      return Optional.of(test(run, stage, evaluation, brokeOffAtEpoch));
    }
  }

  /** What is computed of a trained model. */
  public DensityEvaluation evaluation(DensitySpec spec, Model model, LogWeights weights) {
    DensityData data = data(spec);
    return new DensityEvaluation(spec.shape(data), data.units(), model, weights);
  }

  /** The density of a run that has been trained, which the caller closes. */
  public static FittedDensity load(RunDirectory directory) {
    try {
      return FittedDensity.load(directory.file(FILE));
    } catch (IOException e) {
      throw new UserException(directory.file(FILE) + ": " + WholeFile.reason(e), e);
    }
  }

  private static Stage.Settings settings(DensitySpec spec) {
    return new Stage.Settings(
        null,
        spec.schedule(),
        OptionalDouble.of(spec.clip()),
        false,
        OptionalInt.of(spec.patience()));
  }

  private void save(Run<DensitySpec> run, DensityEvaluation evaluation, double best) {
    try {
      FittedDensity.of(evaluation, data(run.spec()).order(), best).save(run.directory().file(FILE));
    } catch (IOException e) {
      throw new UserException(run.directory().file(FILE) + ": " + WholeFile.reason(e), e);
    }
  }

  private DensityResult test(
      Run<DensitySpec> run,
      Stage stage,
      DensityEvaluation evaluation,
      @Nullable Long brokeOffAtEpoch) {
    long start = System.nanoTime();
    DensitySpec spec = run.spec();
    DensityData data = data(spec);
    TestRows.Means means =
        new TestRows(run.directory())
            .estimate(
                evaluation,
                data.test(),
                spec.importanceSamples(),
                spec.seed(),
                0,
                run.progress("test log p(x)"));
    EarlyStopping stopping = Objects.requireNonNull(stage.state().stopping());
    long steps = stage.trainer().steps();
    double training = run.trainingSeconds();
    return new DensityResult(
        DensitySpec.KIND,
        spec.model().toString(),
        spec.seed(),
        steps,
        stopping.epochs(),
        stage.model().parameters().count(),
        spec.engine(),
        spec.device(),
        training + (System.nanoTime() - start) / 1e9,
        1e3 * training / steps,
        spec.subject(),
        spec.given(),
        spec.placement().toString(),
        spec.inference().toString(),
        data.columns().size(),
        data.train().length,
        data.validation().length,
        data.test().length,
        stage.trainer().skipped(),
        stopping.bestEpoch(),
        brokeOffAtEpoch,
        stopping.best(),
        means.elbo().mean(),
        means.elbo().standardError(),
        means.logLikelihood().mean(),
        means.logLikelihood().standardError(),
        means.bias(),
        means.jackknife(),
        means.samples());
  }
}
