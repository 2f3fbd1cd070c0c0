package cifvi.experiments.run;

import cifvi.engine.Engines;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A run of any kind in its directory: begun or gone on with, trained by its {@link Experiment}, its
 * result kept. It can be stopped at any moment; gone on with, it ends with the very same numbers.
 */
public final class Run<S extends RunSpec> {
  private final Experiment<S, ?> experiment;
  private final S spec;
  private final RunDirectory directory;
  private final RunListener listener;
  private final Checkpoints checkpoints;
  private final Model first;
  private final Engines.Choice engine;

  private Run(
      Experiment<S, ?> experiment,
      S spec,
      RunDirectory directory,
      RunListener listener,
      Model first,
      Engines.Choice engine) {
    this.experiment = experiment;
    this.spec = spec;
    this.directory = directory;
    this.listener = listener;
    this.checkpoints = Checkpoints.of(directory, spec);
    this.first = first;
    this.engine = engine;
  }

  /** Starts a run in a new folder; empty where the listener stopped it. */
  public static <S extends RunSpec, R extends RunResult> Optional<R> start(
      Experiment<S, R> experiment, S requested, Path out, RunListener listener) {
    experiment.require(requested);
    try (Model model = experiment.build(requested, requested.backend())) {
      Engines.Choice engine = choose(experiment, requested, model);
      S spec = RunSpec.withEngine(requested, engine, experiment.specType());
      try (var directory = RunDirectory.create(out, spec)) {
        return new Run<>(experiment, spec, directory, listener, model, engine)
            .train(experiment::train);
      }
    }
  }

  /** Starts the run, or goes on with it where the folder holds one with the very same spec. */
  public static <S extends RunSpec, R extends RunResult> Optional<R> startOrResume(
      Experiment<S, R> experiment, S spec, Path out, RunListener listener) {
    return RunDirectory.holds(out, spec)
        ? resume(experiment, out, Continuation.PLAIN, listener)
        : start(experiment, spec, out, listener);
  }

  /**
   * Goes on where a run stopped, perhaps with more to do, perhaps from the start; a finished one
   * just gives its result.
   */
  public static <S extends RunSpec, R extends RunResult> Optional<R> resume(
      Experiment<S, R> experiment, Path path, Continuation how, RunListener listener) {
    try (var directory = RunDirectory.open(path)) {
      S spec = how.prepare(directory, experiment.specType());
      Optional<R> finished = experiment.result(directory, spec);
      if (finished.isPresent()) {
        listener.note(path + " is finished");
        return finished;
      }
      experiment.requireResumable(directory, spec);
      experiment.require(spec);
      try (Model model = experiment.build(spec, spec.backend())) {
        Engines.Choice engine = choose(experiment, spec, model);
        return new Run<>(experiment, spec, directory, listener, model, engine)
            .train(experiment::train);
      }
    }
  }

  private static <S extends RunSpec> Engines.Choice choose(
      Experiment<S, ?> experiment, S spec, Model model) {
    Engines.Choice engine = experiment.engine(spec, model);
    experiment.requireMemory(spec, engine);
    return engine;
  }

  private <R extends RunResult> Optional<R> train(BiFunction<Run<S>, Model, Optional<R>> training) {
    listener.note(
        "engine %s, %s, %s, threads %d"
            .formatted(engine, spec.device(), spec.precision(), spec.threads()));
    try {
      Optional<R> result = training.apply(this, first);
      result.ifPresent(found -> directory.write(RunDirectory.RESULT, found.json()));
      return result;
    } catch (Progress.StoppedException _) {
      return Optional.empty();
    }
  }

  /**
   * What a run trained, for evaluation; the caller closes it.
   *
   * @param device another than that of the run, or null for the same
   */
  public static <S extends RunSpec> Trained<S> load(
      Experiment<S, ?> experiment,
      RunDirectory directory,
      @Nullable String device,
      RunListener listener) {
    S spec =
        RunSpec.onDevice(
            RunSpec.read(directory, experiment.specType()), device, experiment.specType());
    Model model = experiment.buildTrained(directory, spec, spec.backend());
    Checkpoints.of(directory, spec).restoreParameters(model.parameters(), listener::note);
    return new Trained<>(experiment, spec, model);
  }

  /**
   * A run's model with the parameters to be evaluated.
   *
   * @param spec of the run, on the device the model is on
   */
  public record Trained<S extends RunSpec>(Experiment<S, ?> experiment, S spec, Model model)
      implements AutoCloseable {
    /** What estimates are made with: the engine that trained the model, if on its device. */
    public LogWeights weights() {
      return weights(spec.threads());
    }

    /** The same with as many threads. */
    public LogWeights weights(int threads) {
      return Engines.logWeights(experiment.engine(spec, model).kind(), model, threads);
    }

    @Override
    public void close() {
      model.close();
    }
  }

  /** Opens a stage of the training, which the caller closes; the model stays the caller's. */
  public Stage stage(Model model, Stage.Settings settings) {
    Engines.Choice choice = model.equals(first) ? engine : experiment.engine(spec, model);
    return new Stage(this, model, choice.kind(), experiment.objective(spec), settings);
  }

  public S spec() {
    return spec;
  }

  public RunDirectory directory() {
    return directory;
  }

  public RunListener listener() {
    return listener;
  }

  public Checkpoints checkpoints() {
    return checkpoints;
  }

  /** Tells the listener how far an evaluation is. */
  public Progress progress(String what) {
    return (done, of) -> listener.evaluating(what, done, of);
  }

  /** Seconds that the training steps took, in all processes that have worked at the run. */
  public double trainingSeconds() {
    return StepRow.read(directory).stream().mapToDouble(StepRow::ms).sum() / 1e3;
  }
}
