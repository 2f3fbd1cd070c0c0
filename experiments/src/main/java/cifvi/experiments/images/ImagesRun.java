package cifvi.experiments.images;

import cifvi.engine.Engines;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.run.Checkpoints;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.EarlyStopping;
import cifvi.experiments.run.Logged;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.run.StepRow;
import cifvi.experiments.run.UserException;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import cifvi.vi.Schedule;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One image run in its directory: train with early stopping, test the best epoch; it can be stopped
 * and gone on with at any moment.
 */
public final class ImagesRun {
  private final ImagesSpec spec;
  private final Engines.Choice choice;
  private final ImageData data;
  private final RunDirectory directory;
  private final ImagesListener listener;
  private final Checkpoints checkpoints;

  private ImagesRun(
      ImagesSpec spec,
      Engines.Choice choice,
      ImageData data,
      RunDirectory directory,
      ImagesListener listener) {
    this.spec = spec;
    this.choice = choice;
    this.data = data;
    this.directory = directory;
    this.listener = listener;
    this.checkpoints = Checkpoints.of(directory, spec);
  }

  /** Starts a run in a new folder; empty where the listener stopped it. */
  public static Optional<ImagesResult> start(
      ImagesSpec requested, ImageData data, Path out, ImagesListener listener) {
    requireLimits(requested, data);
    Engines.Choice engine = engine(requested);
    ImagesSpec spec = RunSpec.withEngine(requested, engine, ImagesSpec.class);
    try (var directory = RunDirectory.create(out, spec)) {
      return new ImagesRun(spec, engine, data, directory, listener).run();
    }
  }

  private static void requireLimits(ImagesSpec spec, ImageData data) {
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
   * Goes on where a run stopped; a finished one just gives its result.
   *
   * @param data finds the images for the settings of the run
   */
  public static Optional<ImagesResult> resume(
      Path path, Function<ImagesSpec, ImageData> data, ImagesListener listener) {
    return resume(path, Continuation.PLAIN, data, listener);
  }

  /** Goes on with a run, perhaps for more epochs, perhaps from the start. */
  public static Optional<ImagesResult> resume(
      Path path, Continuation how, Function<ImagesSpec, ImageData> data, ImagesListener listener) {
    try (var directory = RunDirectory.open(path)) {
      ImagesSpec spec = how.prepare(directory, ImagesSpec.class);
      Optional<ImagesResult> finished = result(directory, spec);
      if (finished.isPresent()) {
        listener.note(path + " is finished");
        return finished;
      }
      requireSameValidation(directory, spec);
      return new ImagesRun(spec, engine(spec), data.apply(spec), directory, listener).run();
    }
  }

  /** The result of a run that is finished by its spec as it is now. */
  public static Optional<ImagesResult> result(RunDirectory directory, ImagesSpec spec) {
    return directory.has(RunDirectory.RESULT)
        ? Optional.of(ImagesResult.read(directory)).filter(result -> result.ends(spec))
        : Optional.empty();
  }

  /**
   * Epochs before the spec told how they are validated were judged by the ELBO, whatever trained.
   */
  private static void requireSameValidation(RunDirectory directory, ImagesSpec spec) {
    RunSpec.require(
        spec.model().objective() instanceof Objective.Elbo
            || directory.read(RunSpec.FILE).contains("validation_noise"),
        directory.path()
            + ": begun by a version that validated "
            + spec.model()
            + " by the ELBO, not by its own bound: start it anew in another folder");
  }

  /** The model of a run with the parameters of its best epoch, which the caller closes. */
  public static Model load(RunDirectory directory, RunListener listener) {
    return load(directory, null, listener);
  }

  /** Likewise on another device than that of the run, or null for the same. */
  public static Model load(RunDirectory directory, @Nullable String device, RunListener listener) {
    var spec = spec(directory, device);
    Model model = spec.build(spec.backend());
    Checkpoints.of(directory, spec).restoreParameters(model.parameters(), listener::note);
    return model;
  }

  /** The engine for a spec, where it may say {@code auto}. */
  private static Engines.Choice engine(ImagesSpec spec) {
    try (Model model = spec.build(spec.backend())) {
      return spec.choose(model, spec.model().objective());
    }
  }

  private static ImagesSpec spec(RunDirectory directory, @Nullable String device) {
    return RunSpec.onDevice(ImagesSpec.read(directory), device, ImagesSpec.class);
  }

  /** What estimates of a loaded run are made with: the engine that trained it, if on its device. */
  public static LogWeights logWeights(
      RunDirectory directory, @Nullable String device, Model model) {
    var spec = spec(directory, device);
    return Engines.logWeights(engine(spec).kind(), model, spec.threads());
  }

  private Optional<ImagesResult> run() {
    listener.note(
        "engine %s, %s, %s, threads %d"
            .formatted(choice, spec.device(), spec.precision(), spec.threads()));
    try (Model model = spec.build(spec.backend());
        StepEngine engine =
            Engines.start(
                choice.kind(),
                model,
                spec.model().objective(),
                new StepOptions(spec.clipping(), spec.seed(), spec.threads()));
        LogWeights weights = Engines.logWeights(choice.kind(), model, spec.threads())) {
      var trainer = new Trainer(engine, Schedule.constant(spec.learningRate()));
      var stopping = new EarlyStopping(spec.patience());
      var state =
          new Checkpoints.State(model.parameters(), engine.optimiser(), trainer, null, stopping);
      List<EpochRow> logged = EpochRow.readWhileGood(directory);
      checkpoints.restore(state, Logged.of(directory, logged.size()), listener::note);
      requireSameEnd(stopping, logged);
      var evaluation = new ImagesEvaluation(model, weights, spec.seed());
      @Nullable Long brokeOffAtEpoch = null;
      try (var epochs = new Epochs(spec, data.train(), evaluation, state, directory, listener)) {
        if (!epochs.run()) {
          return Optional.empty();
        }
      } catch (ArithmeticException e) {
        if (stopping.bestEpoch() == 0) {
          throw e; // there is nothing to test
        }
        listener.note(e.getMessage() + ". The best epoch, " + stopping.bestEpoch() + ", is tested");
        brokeOffAtEpoch = stopping.epochs() + 1;
      }
      checkpoints.restoreParameters(model.parameters(), listener::note);
      ImagesResult result = test(evaluation, state, stopping, brokeOffAtEpoch);
      directory.write("result.json", result.json());
      return Optional.of(result);
    } catch (Progress.StoppedException _) {
      return Optional.empty();
    }
  }

  /** With fewer epochs or less patience the run would have ended before. */
  private void requireSameEnd(EarlyStopping stopping, List<EpochRow> logged) {
    Path file = directory.file(RunSpec.FILE);
    RunSpec.require(
        stopping.epochs() <= spec.epochs(),
        file + ": epochs: the run has done " + stopping.epochs() + " already");
    logged.stream()
        .limit(Math.max(0, stopping.epochs() - 1))
        .mapToLong(EpochRow::badEpochs)
        .filter(bad -> bad > spec.patience())
        .findFirst()
        .ifPresent(
            bad -> {
              throw new UserException(file + ": patience: the run has had " + bad + " already");
            });
  }

  private ImagesResult test(
      ImagesEvaluation evaluation,
      Checkpoints.State state,
      EarlyStopping stopping,
      @Nullable Long brokeOffAtEpoch) {
    long start = System.nanoTime();
    int count = spec.limitTest() == null ? data.test().count() : spec.limitTest();
    Estimate elbo = evaluation.testElbo(data.test(), count, progress("test ELBO"));
    @Nullable Estimate fresh = logLikelihood(evaluation, count, TestBinarisation.FRESH);
    @Nullable Estimate fixed =
        spec.fixedBinarisation() ? logLikelihood(evaluation, count, TestBinarisation.FIXED) : null;
    long steps = state.trainer().steps();
    double training = StepRow.read(directory).stream().mapToDouble(StepRow::ms).sum() / 1e3;
    return new ImagesResult(
        ImagesSpec.KIND,
        spec.model().toString(),
        spec.seed(),
        steps,
        stopping.epochs(),
        state.parameters().count(),
        spec.engine(),
        spec.device(),
        training + (System.nanoTime() - start) / 1e9,
        1e3 * training / steps,
        spec.data().toString(),
        spec.decoder().toString(),
        spec.placement().toString(),
        spec.nets().toString(),
        spec.trainImages(data.train()).length,
        state.trainer().skipped(),
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

  private @Nullable Estimate logLikelihood(
      ImagesEvaluation evaluation, int count, TestBinarisation binarisation) {
    if (spec.importanceSamples() == 0) {
      return null;
    }
    var key = new Likelihoods.Key(binarisation, spec.importanceSamples(), 0);
    return new Likelihoods(directory)
        .estimate(evaluation, data.test(), count, key, progress("log p(x), " + binarisation));
  }

  private Progress progress(String what) {
    return (done, of) -> listener.evaluating(what, done, of);
  }
}
