package cifvi.cli.kind;

import cifvi.Draws;
import cifvi.FittedPosterior;
import cifvi.cli.progress.Interrupt;
import cifvi.cli.report.Contents;
import cifvi.cli.report.FigureFolders;
import cifvi.cli.report.fit.FitContents;
import cifvi.experiments.fit.FitExperiment;
import cifvi.experiments.fit.FitResult;
import cifvi.experiments.fit.FitSpec;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Fits of posteriors of one's own. */
public final class FitKind implements RunKind<FitSpec, FitResult> {
  private static final int DRAWS = 100_000;

  @Override
  public String name() {
    return FitSpec.KIND;
  }

  @Override
  public FitExperiment experiment(@Nullable Path dataDir) {
    return new FitExperiment();
  }

  @Override
  public RunListener console(FitSpec spec, Interrupt interrupt) {
    return new FitConsole(interrupt);
  }

  @Override
  public void print(PrintWriter out, FitResult result) {
    FitTable.print(out, result);
  }

  /** Log evidence and effective sample size from new draws; {@code result.json} stays as it is. */
  @Override
  public void evaluate(
      RunDirectory directory,
      FitSpec spec,
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
    int count =
        EvaluateOptions.positive("--importance-samples", options.importanceSamples(), DRAWS);
    try (FittedPosterior posterior = FitExperiment.load(directory)) {
      for (int repeat = 0; repeat < options.repeats() && !interrupt.requested(); repeat++) {
        Draws draws = posterior.draws(count, spec.seed() + 1 + repeat);
        out.printf(
            Locale.ROOT,
            "%,d draws: log evidence %.4f ± %.4f, effective sample size %,.0f%n",
            count,
            draws.logEvidence(),
            draws.logEvidenceError(),
            draws.effectiveSampleSize());
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
    return FitContents.read(runs, figures);
  }

  @Override
  public Draws draws(RunDirectory directory, int count, @Nullable Long seed) {
    try (FittedPosterior posterior = FitExperiment.load(directory)) {
      return seed == null ? posterior.draws(count) : posterior.draws(count, seed);
    }
  }
}
