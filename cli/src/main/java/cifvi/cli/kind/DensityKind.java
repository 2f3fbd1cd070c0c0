package cifvi.cli.kind;

import cifvi.Draws;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.report.Contents;
import cifvi.cli.report.FigureFolders;
import cifvi.cli.report.density.DensityContents;
import cifvi.experiments.density.DensityExperiment;
import cifvi.experiments.density.DensityResult;
import cifvi.experiments.density.DensitySample;
import cifvi.experiments.density.DensitySpec;
import cifvi.experiments.density.TestRows;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Density runs. */
public final class DensityKind implements RunKind<DensitySpec, DensityResult> {
  @Override
  public String name() {
    return DensitySpec.KIND;
  }

  @Override
  public DensityExperiment experiment(@Nullable Path dataDir) {
    return new DensityExperiment();
  }

  @Override
  public RunListener console(DensitySpec spec, Interrupt interrupt) {
    return new DensityConsole(spec, interrupt);
  }

  @Override
  public void print(PrintWriter out, DensityResult result) {
    DensityText.print(out, result);
  }

  @Override
  public void evaluate(
      RunDirectory directory,
      DensitySpec spec,
      EvaluateOptions options,
      PrintWriter out,
      Interrupt interrupt) {
    options.requireHere(name());
    EvaluateOptions.refuse("--outer", options.outer(), name());
    EvaluateOptions.refuse("--inner", options.inner(), name());
    EvaluateOptions.refuse("--limit-test", options.limitTest(), name());
    EvaluateOptions.refuse("--validation", options.validation(), name());
    EvaluateOptions.refuse("--data-dir", options.dataDir(), name());
    EvaluateOptions.refuse("--chunk", options.chunk(), name());
    int samples =
        EvaluateOptions.positive("--importance-samples", options.importanceSamples(), 1000);
    var experiment = new DensityExperiment();
    var console = console(spec, interrupt);
    try (var trained = Run.load(experiment, directory, options.device(), console);
        var weights = trained.weights()) {
      var evaluation = experiment.evaluation(spec, trained.model(), weights);
      var rows = new TestRows(directory);
      for (int repeat = 0; repeat < options.repeats(); repeat++) {
        String task = "estimate " + (repeat + 1) + "/" + options.repeats();
        TestRows.Means means =
            rows.estimate(
                evaluation,
                experiment.data(spec).test(),
                samples,
                spec.seed(),
                repeat,
                (done, of) -> console.evaluating(task, done, of));
        out.printf(
            Locale.ROOT,
            "log p(x) %.4f ± %.4f, bias %.4f, ELBO %.4f; S = %,d%s%n",
            means.logLikelihood().mean(),
            means.logLikelihood().standardError(),
            means.bias(),
            means.elbo().mean(),
            samples,
            rows.keep(means) ? ", kept in result.json" : "");
        out.flush();
      }
    }
  }

  @Override
  public Contents contents(
      List<RunDirectory> runs,
      @Nullable Path dataDir,
      @Nullable String device,
      FigureFolders figures) {
    return DensityContents.read(runs, device, figures);
  }

  /** Of given columns, values are those of the test rows, again and again. */
  @Override
  public Draws draws(RunDirectory directory, int count, @Nullable Long seed) {
    var experiment = new DensityExperiment();
    try (var trained = Run.load(experiment, directory, null, RunListener.SILENT);
        var weights = trained.weights()) {
      DensitySpec spec = trained.spec();
      return new DensitySample(
              experiment.data(spec), experiment.evaluation(spec, trained.model(), weights))
          .draws(count, seed == null ? spec.seed() : seed);
    }
  }
}
