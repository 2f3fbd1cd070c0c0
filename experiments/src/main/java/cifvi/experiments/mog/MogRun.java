package cifvi.experiments.mog;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.experiments.run.Checkpoints;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Logged;
import cifvi.experiments.run.MachineMemory;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.run.StepRow;
import cifvi.experiments.run.Training;
import cifvi.experiments.run.UserException;
import cifvi.tensor.Precision;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import cifvi.vi.WeightAverage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;

/**
 * One mixture run in its directory: train, checkpoint, evaluate; it can be stopped and gone on with
 * at any moment.
 */
public final class MogRun {
  /** How many draws the evaluation at the end takes. */
  record EvaluationSize(long elboSamples, long outer, long inner, int modeSamples) {
    static final EvaluationSize PAPER = new EvaluationSize(100_000, 10_000, 100, 10_000);
  }

  private static final int LAST_STEPS = 2000;

  /** What autograd keeps of one draw in float32, as measured with 20,000 and 100,000 draws. */
  private static final long EAGER_BYTES = 20_000;

  private static final Objective OBJECTIVE = new Objective.Elbo();

  private final MogSpec spec;
  private final Engines.Choice choice;
  private final RunDirectory directory;
  private final RunListener listener;
  private final EvaluationSize size;
  private final Checkpoints checkpoints;

  private MogRun(
      MogSpec spec,
      Engines.Choice engine,
      RunDirectory directory,
      RunListener listener,
      EvaluationSize size) {
    this.spec = spec;
    this.choice = engine;
    this.directory = directory;
    this.listener = listener;
    this.size = size;
    this.checkpoints = Checkpoints.of(directory, spec);
  }

  /** Starts a run in a new folder; empty where the listener stopped it. */
  public static Optional<MogResult> start(MogSpec spec, Path out, RunListener listener) {
    return start(spec, out, listener, EvaluationSize.PAPER);
  }

  static Optional<MogResult> start(
      MogSpec requested, Path out, RunListener listener, EvaluationSize size) {
    Engines.Choice engine = engine(requested);
    requireMemory(requested, engine);
    MogSpec spec = RunSpec.withEngine(requested, engine, MogSpec.class);
    if (spec.initFrom() != null) {
      flow(spec.initFrom());
    }
    try (var directory = RunDirectory.create(out, spec)) {
      return new MogRun(spec, engine, directory, listener, size).run();
    }
  }

  /** Starts the run, or goes on with it where the folder holds one with the very same spec. */
  public static Optional<MogResult> startOrResume(MogSpec spec, Path out, RunListener listener) {
    return RunDirectory.holds(out, spec) ? resume(out, listener) : start(spec, out, listener);
  }

  /** Goes on where a run stopped; a finished one just gives its result. */
  public static Optional<MogResult> resume(Path path, RunListener listener) {
    return resume(path, Continuation.PLAIN, listener);
  }

  /** Goes on with a run, perhaps with more steps, perhaps from the start. */
  public static Optional<MogResult> resume(Path path, Continuation how, RunListener listener) {
    return resume(path, how, listener, EvaluationSize.PAPER);
  }

  static Optional<MogResult> resume(
      Path path, Continuation how, RunListener listener, EvaluationSize size) {
    try (var directory = RunDirectory.open(path)) {
      MogSpec spec = how.prepare(directory, MogSpec.class);
      Optional<MogResult> finished = result(directory, spec);
      if (finished.isPresent()) {
        listener.note(path + " is finished");
        return finished;
      }
      Engines.Choice engine = engine(spec);
      requireMemory(spec, engine);
      return new MogRun(spec, engine, directory, listener, size).run();
    }
  }

  /** The result of a finished run; one of fewer steps than the spec has by now does not count. */
  public static Optional<MogResult> result(RunDirectory directory, MogSpec spec) {
    return directory.has(RunDirectory.RESULT)
        ? Optional.of(MogResult.read(directory)).filter(found -> found.steps() == spec.steps())
        : Optional.empty();
  }

  /** The trained model of a run, which the caller closes. */
  public static Model load(RunDirectory directory, RunListener listener) {
    return load(directory, null, listener);
  }

  /** The trained model on another device than that of the run, or null for the same. */
  public static Model load(RunDirectory directory, @Nullable String device, RunListener listener) {
    var spec = spec(directory, device);
    Model model = spec.mogModel().build(spec.backend(), spec.seed());
    Checkpoints.of(directory, spec).restoreParameters(model.parameters(), listener::note);
    return model;
  }

  /** The engine for a spec, where it may say {@code auto}. */
  private static Engines.Choice engine(MogSpec spec) {
    try (Model model = spec.mogModel().build(spec.backend(), spec.seed())) {
      return spec.choose(model, OBJECTIVE);
    }
  }

  /** Autograd keeps what it computes of every draw until the step ends, the others do not. */
  private static void requireMemory(MogSpec spec, Engines.Choice engine) {
    if (engine.kind() == Engines.Kind.EAGER && spec.device().equals("cpu")) {
      boolean single = spec.precision() == Precision.FLOAT32;
      MachineMemory.require(
          "--samples",
          spec.samples(),
          single ? EAGER_BYTES : 2 * EAGER_BYTES,
          single ? ", or --engine fused" : "");
    }
  }

  private static MogSpec spec(RunDirectory directory, @Nullable String device) {
    return RunSpec.onDevice(MogSpec.read(directory), device, MogSpec.class);
  }

  /** What estimates of a loaded run are made with: the engine that trained it, if on its device. */
  public static LogWeights logWeights(
      RunDirectory directory, @Nullable String device, Model model) {
    return logWeights(directory, device, model, spec(directory, device).threads());
  }

  /** The same with as many threads. */
  public static LogWeights logWeights(
      RunDirectory directory, @Nullable String device, Model model, int threads) {
    return Engines.logWeights(engine(spec(directory, device)).kind(), model, threads);
  }

  private Optional<MogResult> run() {
    listener.note(
        "engine %s, %s, %s, threads %d"
            .formatted(choice, spec.device(), spec.precision(), spec.threads()));
    try (Model model = spec.mogModel().build(spec.backend(), spec.seed());
        StepEngine engine =
            Engines.start(
                choice.kind(),
                model,
                OBJECTIVE,
                new StepOptions(OptionalDouble.of(spec.clip()), spec.seed(), spec.threads()));
        LogWeights weights = Engines.logWeights(choice.kind(), model, spec.threads());
        var average = new WeightAverage(model.parameters().flat())) {
      @Nullable WeightAverage used = spec.average() == MogSpec.Average.EMA ? average : null;
      var trainer = new Trainer(engine, spec.schedule());
      train(new Checkpoints.State(model.parameters(), engine.optimiser(), trainer, used, null));
      if (trainer.steps() < spec.steps()) {
        return Optional.empty();
      }
      if (used != null) {
        used.apply();
      }
      MogResult result = evaluate(model, weights, trainer);
      directory.write("result.json", result.json());
      return Optional.of(result);
    } catch (Progress.StoppedException _) {
      return Optional.empty();
    }
  }

  /** The run of a flow that a CIF starts from. */
  private static RunDirectory flow(String path) {
    var directory = RunDirectory.read(Path.of(path));
    var model = MogSpec.read(directory).model();
    if (model != MogSpec.Flow.NSF) {
      throw new UserException("--init-from: expected a run of model nsf, got " + model);
    }
    return directory;
  }

  /** The state a new run begins with, where that is a trained flow. */
  private void initialise(Checkpoints.State state) {
    if (spec.initFrom() == null) {
      return;
    }
    try (Model trained = load(flow(spec.initFrom()), listener);
        var _ = new PointerScope()) {
      InitFromFlow.apply(state.parameters(), spec.placement(), trained.parameters().state());
    }
    if (state.average() != null) {
      state.average().restart();
    }
  }

  /** Trains to the end, or until the listener says stop; either way the last state is saved. */
  private void train(Checkpoints.State state) {
    if (!checkpoints.restore(state, Logged.of(directory, 0), listener::note)) {
      initialise(state);
    }
    long done = state.trainer().steps();
    RunSpec.require(
        done <= spec.steps(),
        directory.file(RunSpec.FILE) + ": steps: the run has done " + done + " already");
    if (done < spec.steps()) {
      directory.setAsideEvaluations();
    }
    try (var training = new Training(directory, checkpoints, state, listener)) {
      var x = Observation.none(spec.samples());
      training.run(spec.steps(), spec.steps(), _ -> x, _ -> {});
    }
  }

  private MogResult evaluate(Model model, LogWeights weights, Trainer trainer) {
    long start = System.nanoTime();
    var evaluation = new MogEvaluation(model, weights, spec.seed());
    var elbo = evaluation.elbo(size.elboSamples(), progress("ELBO"));
    requireFinite("ELBO", elbo);
    var marginal =
        evaluation.marginalElbo(size.outer(), size.inner(), 0, progress("marginal ELBO"));
    requireFinite("marginal ELBO", marginal.upper());
    var logZ = evaluation.logZ(size.elboSamples(), progress("log Z"));
    var modes = evaluation.modes(size.modeSamples());
    List<StepRow> rows = StepRow.read(directory);
    double training = rows.stream().mapToDouble(StepRow::ms).sum() / 1e3;
    return new MogResult(
        MogSpec.KIND,
        spec.model().toString(),
        spec.seed(),
        spec.steps(),
        model.parameters().count(),
        spec.engine(),
        spec.device(),
        training + (System.nanoTime() - start) / 1e9,
        1e3 * training / spec.steps(),
        spec.components(),
        spec.sigma0(),
        spec.tailBound(),
        spec.placement().toString(),
        trainer.skipped(),
        elbo.mean(),
        elbo.standardError(),
        rows.stream()
            .skip(Math.max(0, rows.size() - LAST_STEPS))
            .mapToDouble(StepRow::elbo)
            .average()
            .orElseThrow(),
        marginal.upper().mean(),
        marginal.lower().mean(),
        marginal.upper().standardError(),
        size.outer(),
        size.inner(),
        logZ.mean(),
        logZ.standardError(),
        modes.covered(),
        modes.offModeMass(),
        spec.components() * Math.exp(marginal.upper().mean()));
  }

  /** A run that learnt nothing has failed, and has no result. */
  private void requireFinite(String what, Estimate estimate) {
    if (!Double.isFinite(estimate.mean())) {
      throw new ArithmeticException(
          "%s: the %s of the trained posterior is not finite (%s): try a smaller --learning-rate, --clip, or a --sigma0 nearer to 1"
              .formatted(directory.path(), what, estimate.mean()));
    }
  }

  private Progress progress(String what) {
    return (done, of) -> listener.evaluating(what, done, of);
  }
}
