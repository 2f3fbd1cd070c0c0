package cifvi.experiments.run;

import cifvi.engine.Engines;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of any kind in its directory: begun or gone on with, trained by its {@link Experiment}, its
 * result kept. It can be stopped at any moment; gone on with, it ends with the very same numbers.
 */
public final class Run<S extends RunSpec> {
  private final ModelExperiment<S, ?> experiment;
  private final S spec;
  private final RunDirectory directory;
  private final RunListener listener;
  private final Checkpoints checkpoints;
  private final Model first;
  private final Engines.Choice engine;

  private Run(
      ModelExperiment<S, ?> experiment,
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
    try (var prepared = experiment.prepare(requested);
        var directory = RunDirectory.create(out, prepared.spec())) {
      return run(prepared, directory, listener);
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
      try (var prepared = experiment.prepare(spec)) {
        directory.requireProvenance(prepared.spec());
        String begun = RunSpec.read(directory, experiment.specType()).device();
        if (!begun.equals(spec.device())) {
          listener.note(
              "begun on %s, goes on on %s: from the same state, with the same noise, rounded otherwise"
                  .formatted(begun, spec.device()));
        }
        return run(prepared, directory, listener);
      }
    }
  }

  private static <S extends RunSpec, R extends RunResult> Optional<R> run(
      Experiment.Prepared<S, R> prepared, RunDirectory directory, RunListener listener) {
    try {
      Optional<R> result = prepared.run(directory, listener);
      result.ifPresent(found -> directory.write(RunDirectory.RESULT, found.json()));
      return result;
    } catch (Progress.StoppedException _) {
      return Optional.empty();
    }
  }

  /** Builds the first model of a run, and chooses its engine once. */
  static <S extends RunSpec, R extends RunResult> Experiment.Prepared<S, R> prepare(
      ModelExperiment<S, R> experiment, S requested) {
    Model model = experiment.build(requested, requested.backend());
    try {
      Engines.Choice engine = experiment.engine(requested, model);
      experiment.requireMemory(requested, engine);
      S spec = RunSpec.withEngine(requested, engine, experiment.specType());
      return new FirstModel<>(experiment, spec, model, engine);
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  private record FirstModel<S extends RunSpec, R extends RunResult>(
      ModelExperiment<S, R> experiment, S spec, Model model, Engines.Choice engine)
      implements Experiment.Prepared<S, R> {
    @Override
    public Optional<R> run(RunDirectory directory, RunListener listener) {
      listener.note(
          "engine %s, %s, %s, threads %d"
              .formatted(engine, spec.device(), spec.precision(), spec.threads()));
      return experiment.train(
          new Run<>(experiment, spec, directory, listener, model, engine), model);
    }

    @Override
    public void close() {
      model.close();
    }
  }

  /**
   * What a run trained, for evaluation; the caller closes it.
   *
   * @param device another than that of the run, or null for the same
   */
  public static <S extends RunSpec> Trained<S> load(
      ModelExperiment<S, ?> experiment,
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
  public record Trained<S extends RunSpec>(ModelExperiment<S, ?> experiment, S spec, Model model)
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
