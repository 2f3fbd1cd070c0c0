package cifvi.experiments.mog;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.experiments.machine.MachineMemory;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.ModelExperiment;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.run.Stage;
import cifvi.experiments.run.StepRow;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Estimate;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.bytedeco.javacpp.PointerScope;

/** The mixture runs of paper section 4.1: so many steps, then the estimates of the last state. */
public final class MogExperiment implements ModelExperiment<MogSpec, MogResult> {
  /** How many draws the evaluation at the end takes. */
  record EvaluationSize(long elboSamples, long outer, long inner, int modeSamples) {
    static final EvaluationSize PAPER = new EvaluationSize(100_000, 10_000, 100, 10_000);
  }

  private static final int LAST_STEPS = 2000;

  /** What autograd keeps of one draw in float32, as measured with 20,000 and 100,000 draws. */
  private static final long EAGER_BYTES = 20_000;

  private final EvaluationSize size;

  public MogExperiment() {
    this(EvaluationSize.PAPER);
  }

  MogExperiment(EvaluationSize size) {
    this.size = size;
  }

  @Override
  public Class<MogSpec> specType() {
    return MogSpec.class;
  }

  @Override
  public Model build(MogSpec spec, Backend backend) {
    return spec.build(backend);
  }

  @Override
  public Objective objective(MogSpec spec) {
    return spec.objective().warmedUp(spec.warmUp());
  }

  /** What a run starts from has to be in it. */
  @Override
  public void require(MogSpec spec) {
    if (spec.initFrom() != null) {
      InitFrom.requireFits(spec, MogSpec.read(RunDirectory.read(Path.of(spec.initFrom()))));
    }
  }

  /** Autograd keeps what it computes of every draw until the step ends, the others do not. */
  @Override
  public void requireMemory(MogSpec spec, Engines.Choice engine) {
    if (engine.kind() == Engines.Kind.EAGER && spec.device().equals("cpu")) {
      boolean single = spec.precision() == Precision.FLOAT32;
      MachineMemory.require(
          "--samples",
          spec.samples(),
          (single ? EAGER_BYTES : 2 * EAGER_BYTES) * spec.objective().rowDraws(),
          single ? ", or --engine fused" : "");
    }
  }

  /** One of fewer steps than the spec has by now does not count. */
  @Override
  public Optional<MogResult> result(RunDirectory directory, MogSpec spec) {
    return directory.has(RunDirectory.RESULT)
        ? Optional.of(MogResult.read(directory)).filter(found -> found.steps() == spec.steps())
        : Optional.empty();
  }

  @Override
  public Optional<MogResult> train(Run<MogSpec> run, Model model) {
    MogSpec spec = run.spec();
    try (Stage stage = run.stage(model, settings(spec))) {
      if (!stage.restore(0)) {
        initialise(stage, spec, run.listener());
      }
      long done = stage.trainer().steps();
      RunSpec.require(
          done <= spec.steps(),
          run.directory().file(RunSpec.FILE) + ": steps: the run has done " + done + " already");
      if (done < spec.steps()) {
        run.directory().setAsideEvaluations();
      }
      var x = Observation.none(spec.samples());
      if (!stage.train(spec.steps(), _ -> x)) {
        return Optional.empty();
      }
      stage.applyAverage();
      return Optional.of(evaluate(run, stage));
    }
  }

  private static Stage.Settings settings(MogSpec spec) {
    return new Stage.Settings(
        null,
        spec.schedule(),
        OptionalDouble.of(spec.clip()),
        spec.average() == Average.EMA,
        OptionalInt.empty());
  }

  /** The state a new run begins with, where that is a trained one. */
  private void initialise(Stage stage, MogSpec spec, RunListener listener) {
    if (spec.initFrom() == null) {
      return;
    }
    var from = RunDirectory.read(Path.of(spec.initFrom()));
    try (var trained = Run.load(this, from, null, listener);
        var _ = new PointerScope()) {
      InitFrom.apply(stage.model().parameters(), spec, trained);
    }
    stage.restartAverage();
  }

  private MogResult evaluate(Run<MogSpec> run, Stage stage) {
    long start = System.nanoTime();
    MogSpec spec = run.spec();
    var evaluation = new MogEvaluation(stage.model(), stage.weights(), spec.seed());
    var elbo = evaluation.elbo(size.elboSamples(), run.progress("ELBO"));
    requireFinite(run, "ELBO", elbo);
    var marginal =
        evaluation.marginalElbo(size.outer(), size.inner(), 0, run.progress("marginal ELBO"));
    requireFinite(run, "marginal ELBO", marginal.upper());
    var logZ = evaluation.logZ(size.elboSamples(), run.progress("log Z"));
    var modes = evaluation.modes(size.modeSamples());
    double training = run.trainingSeconds();
    return new MogResult(
        MogSpec.KIND,
        spec.model().toString(),
        spec.seed(),
        spec.steps(),
        stage.model().parameters().count(),
        spec.engine(),
        spec.device(),
        training + (System.nanoTime() - start) / 1e9,
        1e3 * training / spec.steps(),
        spec.components(),
        spec.sigma0(),
        spec.tailBound(),
        spec.placement().toString(),
        stage.trainer().skipped(),
        elbo.mean(),
        elbo.standardError(),
        lastElbo(StepRow.read(run.directory())),
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

  private static double lastElbo(List<StepRow> rows) {
    return rows.stream()
        .skip(Math.max(0, rows.size() - LAST_STEPS))
        .mapToDouble(StepRow::elbo)
        .average()
        .orElseThrow();
  }

  /** A run that learnt nothing has failed, and has no result. */
  private static void requireFinite(Run<MogSpec> run, String what, Estimate estimate) {
    if (!Double.isFinite(estimate.mean())) {
      throw new ArithmeticException(
          "%s: the %s of the trained posterior is not finite (%s): try a smaller --learning-rate, --clip, or a --sigma0 nearer to 1"
              .formatted(run.directory().path(), what, estimate.mean()));
    }
  }
}
