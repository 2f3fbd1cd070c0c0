package cifvi.experiments.mog;

import cifvi.distribution.Observation;
import cifvi.engine.EagerEngine;
import cifvi.experiments.run.Checkpoints;
import cifvi.experiments.run.Metrics;
import cifvi.experiments.run.Provenance;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.UserException;
import cifvi.tensor.Backend;
import cifvi.tensor.Torch;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.Trainer;
import cifvi.vi.WeightAverage;
import java.nio.file.Files;
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

  /**
   * Small enough to lose little, large enough to cost nothing: a checkpoint takes some
   * milliseconds.
   */
  private static final double CHECKPOINT_SECONDS = 1.5;

  private final MogSpec spec;
  private final RunDirectory directory;
  private final RunListener listener;
  private final EvaluationSize size;
  private final Checkpoints checkpoints;

  private MogRun(MogSpec spec, RunDirectory directory, RunListener listener, EvaluationSize size) {
    this.spec = spec;
    this.directory = directory;
    this.listener = listener;
    this.size = size;
    this.checkpoints = Checkpoints.of(directory);
  }

  /** Starts a run in a new folder; empty where the listener stopped it. */
  public static Optional<MogResult> start(MogSpec spec, Path out, RunListener listener) {
    return start(spec, out, listener, EvaluationSize.PAPER);
  }

  static Optional<MogResult> start(
      MogSpec spec, Path out, RunListener listener, EvaluationSize size) {
    backend(spec);
    if (spec.initFrom() != null) {
      flow(spec.initFrom());
    }
    try (var directory = RunDirectory.create(out)) {
      directory.write("spec.yaml", spec.yaml());
      directory.write(
          "provenance.json",
          Provenance.of(spec.engine(), spec.device(), spec.threads(), spec.seed()).json());
      return new MogRun(spec, directory, listener, size).run();
    }
  }

  /** Starts the run, or goes on with it where the folder holds one with the very same spec. */
  public static Optional<MogResult> startOrResume(MogSpec spec, Path out, RunListener listener) {
    if (!Files.exists(out.resolve("spec.yaml"))) {
      return start(spec, out, listener);
    }
    if (!RunDirectory.read(out).read("spec.yaml").equals(spec.yaml())) {
      throw new UserException(
          out + " holds a run with other settings: choose another --out or remove it");
    }
    return resume(out, listener);
  }

  /** Goes on where a run stopped; a finished one just gives its result. */
  public static Optional<MogResult> resume(Path path, RunListener listener) {
    return resume(path, listener, EvaluationSize.PAPER);
  }

  static Optional<MogResult> resume(Path path, RunListener listener, EvaluationSize size) {
    try (var directory = RunDirectory.open(path)) {
      if (directory.has("result.json")) {
        listener.note(path + " is finished");
        return Optional.of(MogResult.read(directory));
      }
      return new MogRun(MogSpec.parse(directory.read("spec.yaml")), directory, listener, size)
          .run();
    }
  }

  /** The trained model of a run, which the caller closes. */
  public static Model load(RunDirectory directory, RunListener listener) {
    var spec = MogSpec.parse(directory.read("spec.yaml"));
    Model model = spec.mogModel().build(backend(spec), spec.seed());
    Checkpoints.of(directory).restoreParameters(model.parameters(), listener::note);
    return model;
  }

  private static Backend backend(MogSpec spec) {
    Torch.load();
    Torch.threads(spec.threads());
    try {
      return Backend.of(spec.device(), spec.precision());
    } catch (IllegalArgumentException e) {
      throw new UserException("--" + e.getMessage(), e);
    }
  }

  private Optional<MogResult> run() {
    listener.note(
        "engine eager (libtorch autograd), %s, %s, threads %d"
            .formatted(spec.device(), spec.precision(), spec.threads()));
    try (Model model = spec.mogModel().build(backend(spec), spec.seed());
        StepEngine engine =
            EagerEngine.seeded(
                model, new Objective.Elbo(), OptionalDouble.of(spec.clip()), spec.seed());
        var average = new WeightAverage(model.parameters().flat())) {
      @Nullable WeightAverage used = spec.average() == MogSpec.Average.EMA ? average : null;
      var trainer = new Trainer(engine, spec.schedule());
      train(new Checkpoints.State(model.parameters(), engine.optimiser(), trainer, used));
      if (trainer.steps() < spec.steps()) {
        return Optional.empty();
      }
      if (used != null) {
        used.apply();
      }
      MogResult result = evaluate(model, trainer);
      directory.write("result.json", result.json());
      return Optional.of(result);
    } catch (Progress.StoppedException _) {
      return Optional.empty();
    }
  }

  /** The run of a flow that a CIF starts from. */
  private static RunDirectory flow(String path) {
    var directory = RunDirectory.read(Path.of(path));
    var model = MogSpec.parse(directory.read("spec.yaml")).model();
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
    if (!checkpoints.restore(state, listener::note)) {
      initialise(state);
    }
    Trainer trainer = state.trainer();
    long restored = trainer.steps();
    try (var metrics = Metrics.from(directory.file("metrics.csv"), restored)) {
      boolean goOn = true;
      long lastSave = System.nanoTime();
      long lastSaved = restored;
      while (goOn && trainer.steps() < spec.steps()) {
        StepInfo info = step(state, metrics);
        goOn = listener.step(trainer.steps(), spec.steps(), info.objective());
        if (System.nanoTime() - lastSave > CHECKPOINT_SECONDS * 1e9) {
          save(state, metrics);
          lastSave = System.nanoTime();
          lastSaved = trainer.steps();
        }
      }
      if (lastSaved < trainer.steps()) {
        save(state, metrics);
      }
    }
  }

  private StepInfo step(Checkpoints.State state, Metrics metrics) {
    long before = System.nanoTime();
    StepInfo info = state.trainer().step(Observation.none(spec.samples()));
    if (state.average() != null) {
      state.average().add(info.step());
    }
    double ms = (System.nanoTime() - before) / 1e6;
    double rate = spec.schedule().rate(info.step());
    metrics.add(new Metrics.Row(info.step(), info.objective(), info.gradientNorm(), rate, ms));
    return info;
  }

  /** The metrics first: a checkpoint counts on having a line for each of its steps. */
  private void save(Checkpoints.State state, Metrics metrics) {
    metrics.flush();
    checkpoints.save(state);
  }

  private MogResult evaluate(Model model, Trainer trainer) {
    long start = System.nanoTime();
    var evaluation = new MogEvaluation(model, spec.seed());
    var elbo = evaluation.elbo(size.elboSamples(), progress("ELBO"));
    var marginal =
        evaluation.marginalElbo(size.outer(), size.inner(), 0, progress("marginal ELBO"));
    var logZ = evaluation.logZ(size.elboSamples(), progress("log Z"));
    var modes = evaluation.modes(size.modeSamples());
    List<Metrics.Row> rows = Metrics.read(directory.file("metrics.csv"));
    double training = rows.stream().mapToDouble(Metrics.Row::ms).sum() / 1e3;
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
            .mapToDouble(Metrics.Row::elbo)
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

  private Progress progress(String what) {
    return (done, of) -> listener.evaluating(what, done, of);
  }
}
