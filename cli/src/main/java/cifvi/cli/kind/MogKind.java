package cifvi.cli.kind;

import cifvi.Draws;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.report.Contents;
import cifvi.cli.report.FigureFolders;
import cifvi.cli.report.mog.MogContents;
import cifvi.distribution.Observation;
import cifvi.experiments.mog.MogExperiment;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.parts.PartRow;
import cifvi.experiments.run.Experiment;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.LogWeights;
import cifvi.vi.Progress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;

/** Mixture runs. */
public final class MogKind implements RunKind<MogSpec, MogResult> {
  @Override
  public String name() {
    return MogSpec.KIND;
  }

  @Override
  public Experiment<MogSpec, MogResult> experiment(@Nullable Path dataDir) {
    return new MogExperiment();
  }

  @Override
  public RunListener console(MogSpec spec, Interrupt interrupt) {
    return new MogConsole(spec.model().toString(), interrupt);
  }

  @Override
  public void print(PrintWriter out, MogResult result) {
    MogTable.print(out, List.of(result));
  }

  @Override
  public void evaluate(
      RunDirectory directory,
      MogSpec spec,
      EvaluateOptions options,
      PrintWriter out,
      Interrupt interrupt) {
    EvaluateOptions.refuse("--importance-samples", options.importanceSamples(), name());
    EvaluateOptions.refuse("--limit-test", options.limitTest(), name());
    EvaluateOptions.refuse("--validation", options.validation(), name());
    EvaluateOptions.refuse("--data-dir", options.dataDir(), name());
    new MogEvaluate(
            directory,
            options.device(),
            EvaluateOptions.positive("--outer", options.outer(), 10_000L),
            EvaluateOptions.positive("--inner", options.inner(), 100L),
            options.repeats(),
            options.chunk(),
            options.elsewhere())
        .run(out, console(spec, interrupt));
  }

  @Override
  public List<PartRow> part(RunDirectory directory, PartRequest request) {
    EvaluateOptions options = request.options();
    long outer = EvaluateOptions.positive("--outer", options.outer(), 10_000L);
    long inner = EvaluateOptions.positive("--inner", options.inner(), 100L);
    try (var trained =
            Run.load(new MogExperiment(), directory, options.device(), RunListener.SILENT);
        var weights = trained.weights()) {
      var evaluation =
          MogEvaluate.evaluation(trained.model(), weights, trained.spec().seed(), options.chunk());
      return request.of(evaluation.units(outer, inner)).stream()
          .flatMap(
              unit ->
                  evaluation.part(outer, inner, request.repeat(), unit, Progress.SILENT).stream())
          .toList();
    }
  }

  @Override
  public Draws draws(RunDirectory directory, int count, @Nullable Long seed) {
    try (var trained = Run.load(new MogExperiment(), directory, null, RunListener.SILENT);
        var weights = trained.weights();
        var _ = new PointerScope()) {
      var rng =
          new CounterRng(
              trained.model().parameters().backend(),
              seed == null ? trained.spec().seed() : seed,
              Purpose.SAMPLE);
      LogWeights.Draws drawn = weights.draw(Observation.none(count), 1, rng);
      double[] logG = Arrays.stream(drawn.delta()).map(delta -> -delta).toArray();
      var plane = ParameterSpace.of(Parameter.real("z").vector(2));
      return Draws.of(plane, drawn.z(), drawn.logJoint(), logG);
    }
  }

  @Override
  public Contents contents(
      List<RunDirectory> runs,
      @Nullable Path dataDir,
      @Nullable String device,
      FigureFolders figures) {
    return MogContents.read(runs, device, figures);
  }
}
