package cifvi.experiments.images;

import cifvi.experiments.data.ImageData;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.files.UserException;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.run.EarlyStopping;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.ModelExperiment;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.run.Stage;
import cifvi.tensor.Backend;
import cifvi.vi.Estimate;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The image runs of paper section 4.2: epochs with early stopping, then a test of the best. */
public final class ImagesExperiment implements ModelExperiment<ImagesSpec, ImagesResult> {
  private final Function<ImagesSpec, ImageData> find;
  private final Map<List<Object>, ImageData> found = new HashMap<>();

  /** With the images where each spec says. */
  public ImagesExperiment() {
    this(ImagesSpec::load);
  }

  /**
   * With images from elsewhere.
   *
   * @param find finds those for the settings of a run; asked once for every data set
   */
  public ImagesExperiment(Function<ImagesSpec, ImageData> find) {
    this.find = find;
  }

  /** The images for a run. */
  public ImageData data(ImagesSpec spec) {
    List<Object> source = List.of(spec.data(), Optional.ofNullable(spec.dataDir()));
    return found.computeIfAbsent(source, _ -> find.apply(spec));
  }

  @Override
  public Class<ImagesSpec> specType() {
    return ImagesSpec.class;
  }

  @Override
  public Model build(ImagesSpec spec, Backend backend) {
    return spec.build(backend);
  }

  @Override
  public Objective objective(ImagesSpec spec) {
    return spec.maximised();
  }

  @Override
  public void require(ImagesSpec spec) {
    ImageData data = data(spec);
    int train = spec.split(data.train()).train().length;
    RunSpec.require(
        spec.limitTrain() == null || spec.limitTrain() <= train,
        "--limit-train: expected at most the " + train + " there are, got " + spec.limitTrain());
    int test = data.test().count();
    RunSpec.require(
        spec.limitTest() == null || spec.limitTest() <= test,
        "--limit-test: expected at most the " + test + " there are, got " + spec.limitTest());
  }

  /**
   * Epochs before the spec told how they are validated were judged by the ELBO, whatever trained.
   */
  @Override
  public void requireResumable(RunDirectory directory, ImagesSpec spec) {
    RunSpec.require(
        objective(spec) instanceof Objective.Elbo
            || directory.read(RunSpec.FILE).contains("validation_noise"),
        directory.path()
            + ": begun by a version that validated "
            + spec.model()
            + " by the ELBO, not by its own bound: start it anew in another folder");
  }

  @Override
  public Optional<ImagesResult> result(RunDirectory directory, ImagesSpec spec) {
    return directory.has(RunDirectory.RESULT)
        ? Optional.of(ImagesResult.read(directory)).filter(result -> result.ends(spec))
        : Optional.empty();
  }

  @Override
  public Optional<ImagesResult> train(Run<ImagesSpec> run, Model model) {
    ImagesSpec spec = run.spec();
    ImageData data = data(spec);
    long stepsPerEpoch = spec.trainImages(data.train()).length / spec.batch();
    try (Stage stage = run.stage(model, settings(spec, stepsPerEpoch))) {
      EarlyStopping stopping = Objects.requireNonNull(stage.state().stopping());
      List<EpochRow> logged = EpochRow.readWhileGood(run.directory());
      stage.restore(logged.size());
      requireSameEnd(run, stopping, logged);
      var evaluation = new ImagesEvaluation(model, stage.weights(), spec.seed());
      @Nullable Long brokeOffAtEpoch = null;
      try (var epochs = new Epochs(run, stage, data.train(), evaluation)) {
        if (!epochs.run()) {
          return Optional.empty();
        }
      } catch (ArithmeticException e) {
        if (stopping.bestEpoch() == 0) {
          throw e; // there is nothing to test
        }
        run.listener()
            .note(e.getMessage() + ". The best epoch, " + stopping.bestEpoch() + ", is tested");
        brokeOffAtEpoch = stopping.epochs() + 1;
      }
      run.checkpoints().restoreParameters(model.parameters(), run.listener()::note);
      return Optional.of(test(run, stage, data, evaluation, brokeOffAtEpoch));
    }
  }

  private static Stage.Settings settings(ImagesSpec spec, long stepsPerEpoch) {
    return new Stage.Settings(
        null,
        spec.schedule(stepsPerEpoch),
        spec.clipping(),
        spec.averaged(),
        OptionalInt.of(spec.borne()));
  }

  /** With fewer epochs or less patience the run would have ended before. */
  private static void requireSameEnd(
      Run<ImagesSpec> run, EarlyStopping stopping, List<EpochRow> logged) {
    Path file = run.directory().file(RunSpec.FILE);
    RunSpec.require(
        stopping.epochs() <= run.spec().epochs(),
        file + ": epochs: the run has done " + stopping.epochs() + " already");
    logged.stream()
        .limit(Math.max(0, stopping.epochs() - 1))
        .mapToLong(EpochRow::badEpochs)
        .filter(bad -> bad > run.spec().borne())
        .findFirst()
        .ifPresent(
            bad -> {
              throw new UserException(file + ": patience: the run has had " + bad + " already");
            });
  }

  private static ImagesResult test(
      Run<ImagesSpec> run,
      Stage stage,
      ImageData data,
      ImagesEvaluation evaluation,
      @Nullable Long brokeOffAtEpoch) {
    long start = System.nanoTime();
    ImagesSpec spec = run.spec();
    int count = spec.limitTest() == null ? data.test().count() : spec.limitTest();
    Estimate elbo = evaluation.testElbo(data.test(), count, run.progress("test ELBO"));
    var likelihoods = new TestLikelihoods(run, data.test(), count, evaluation);
    @Nullable Estimate fresh = likelihoods.estimate(TestBinarisation.FRESH);
    @Nullable Estimate fixed =
        spec.fixedBinarisation() ? likelihoods.estimate(TestBinarisation.FIXED) : null;
    EarlyStopping stopping = Objects.requireNonNull(stage.state().stopping());
    long steps = stage.trainer().steps();
    double training = run.trainingSeconds();
    return new ImagesResult(
        ImagesSpec.KIND,
        spec.model().toString(),
        spec.seed(),
        steps,
        stopping.epochs(),
        stage.model().parameters().count(),
        spec.engine(),
        spec.device(),
        training + (System.nanoTime() - start) / 1e9,
        1e3 * training / steps,
        spec.data().toString(),
        spec.decoder().toString(),
        spec.placement().toString(),
        spec.nets().toString(),
        spec.trainImages(data.train()).length,
        stage.trainer().skipped(),
        stopping.bestEpoch(),
        brokeOffAtEpoch,
        stopping.best(),
        elbo.mean(),
        elbo.standardError(),
        count,
        fresh == null ? null : fresh.mean(),
        fresh == null ? null : fresh.standardError(),
        fresh == null ? null : spec.importanceSamples(),
        fixed == null ? null : fixed.mean(),
        fixed == null ? null : fixed.standardError());
  }

  /** The log-likelihoods that a run ends with. */
  private record TestLikelihoods(
      Run<ImagesSpec> run, ImageSet test, int count, ImagesEvaluation evaluation) {
    /** Null where the spec leaves them out. */
    @Nullable Estimate estimate(TestBinarisation binarisation) {
      int samples = run.spec().importanceSamples();
      if (samples == 0) {
        return null;
      }
      var key = new Likelihoods.Key(binarisation, samples, 0);
      return new Likelihoods(run.directory())
          .estimate(evaluation, test, count, key, run.progress("log p(x), " + binarisation));
    }
  }
}
