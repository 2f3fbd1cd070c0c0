package cifvi.cli.kind;

import cifvi.cli.cluster.ClusterParts;
import cifvi.experiments.mog.Evaluations;
import cifvi.experiments.mog.MogEvaluation;
import cifvi.experiments.mog.MogExperiment;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.parts.Parts;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import cifvi.vi.MarginalElbo.Bracket;
import cifvi.vi.Model;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Auxiliary and marginal ELBO of a mixture run, for any N and M. */
public record MogEvaluate(
    RunDirectory directory,
    @Nullable String device,
    long outer,
    long inner,
    int repeats,
    @Nullable Integer chunk,
    @Nullable ClusterParts elsewhere) {
  /** Paths back of one task: a minute of a core, or so. */
  private static final long TASK = 30_000_000;

  public void run(PrintWriter out, RunListener console) {
    var seed = MogSpec.read(directory).seed();
    var evaluations = new Evaluations(directory);
    var auxiliary = new Moments();
    var lower = new Moments();
    var upper = new Moments();
    try (var trained = Run.load(new MogExperiment(), directory, device, console);
        var weights = trained.weights()) {
      var evaluation = evaluation(trained.model(), weights, seed, chunk);
      for (int repeat = 0; repeat < repeats; repeat++) {
        String task = repeats == 1 ? "marginal ELBO" : "estimate " + (repeat + 1) + "/" + repeats;
        long start = System.nanoTime();
        Progress progress = (done, of) -> console.evaluating(task, done, of);
        Bracket bracket =
            elsewhere == null
                ? evaluation.marginalElbo(outer, inner, repeat, progress)
                : bracket(elsewhere, evaluation, trained.spec(), repeat, progress);
        evaluations.append(outer, inner, repeat, bracket, (System.nanoTime() - start) / 1e9);
        if (elsewhere != null) {
          parts(evaluation, repeat).delete();
        }
        auxiliary.add(bracket.auxiliary().mean());
        lower.add(bracket.lower().mean());
        upper.add(bracket.upper().mean());
        if (repeats == 1) {
          print(out, bracket);
          printKept(out, evaluations.update(outer, inner, bracket));
        }
      }
    }
    if (repeats > 1) {
      out.printf(
          Locale.ROOT,
          "N = %,d, M = %,d, %d estimates: mean ± population sd%n",
          outer,
          inner,
          repeats);
      print(out, "auxiliary ELBO", auxiliary.mean(), auxiliary.populationStd());
      print(out, "marginal ELBO, lower", lower.mean(), lower.populationStd());
      print(out, "marginal ELBO, upper (eq. 22)", upper.mean(), upper.populationStd());
    }
  }

  static MogEvaluation evaluation(
      Model model, LogWeights weights, long seed, @Nullable Integer chunk) {
    return chunk == null
        ? new MogEvaluation(model, weights, seed)
        : new MogEvaluation(model, weights, seed, chunk);
  }

  /** The same estimate, computed elsewhere in parts. */
  private Bracket bracket(
      ClusterParts elsewhere,
      MogEvaluation evaluation,
      MogSpec spec,
      int repeat,
      Progress progress) {
    var words =
        List.of(
            "--outer=" + outer,
            "--inner=" + inner,
            "--repeat-number=" + repeat,
            "--chunk=" + evaluation.chunk(),
            "--device=" + spec.device());
    boolean cuda = spec.device().startsWith("cuda");
    return MogEvaluation.marginalElbo(
        elsewhere.compute(parts(evaluation, repeat), words, spec.threads(), cuda, TASK, progress));
  }

  private Parts parts(MogEvaluation evaluation, int repeat) {
    String key = "N%d-M%d-%d-chunk%d".formatted(outer, inner, repeat, evaluation.chunk());
    return new Parts(directory, key, evaluation.units(outer, inner));
  }

  private void print(PrintWriter out, Bracket bracket) {
    out.printf(Locale.ROOT, "N = %,d, M = %,d: estimate ± standard error%n", outer, inner);
    print(out, "auxiliary ELBO", bracket.auxiliary());
    print(out, "marginal ELBO, lower", bracket.lower());
    print(out, "marginal ELBO, upper (eq. 22)", bracket.upper());
  }

  private void printKept(PrintWriter out, MogResult kept) {
    out.println(
        kept.outer() == outer && kept.inner() == inner
            ? "kept in result.json"
            : String.format(
                Locale.ROOT,
                "result.json keeps the more exact one of N = %,d, M = %,d: %.5f ± %.5f",
                kept.outer(),
                kept.inner(),
                kept.marginalElbo(),
                kept.marginalElboSe()));
    out.flush();
  }

  private static void print(PrintWriter out, String name, Estimate estimate) {
    print(out, name, estimate.mean(), estimate.standardError());
  }

  private static void print(PrintWriter out, String name, double mean, double spread) {
    out.printf(Locale.ROOT, "%-30s %9.5f ± %.5f%n", name, mean, spread);
    out.flush();
  }
}
