package cifvi.cli;

import cifvi.experiments.mog.Evaluations;
import cifvi.experiments.mog.MogEvaluation;
import cifvi.experiments.mog.MogRun;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.UserException;
import cifvi.vi.Estimate;
import cifvi.vi.MarginalElbo.Bracket;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi evaluate DIR}: auxiliary and marginal ELBO of a finished run, for any N and M. */
@Command(
    name = "evaluate",
    sortOptions = false,
    description = "Estimate the auxiliary and the marginal ELBO of a finished run.",
    footer = {
      "The marginal ELBO comes as a bracket: lower with the u that generated z, upper by eq. 22.",
      "Memory is bounded by --chunk, not by N or M: about 0.5 GB in all with the default."
    })
final class EvaluateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "A finished run.")
  private Path path;

  @Option(
      names = "--outer",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Draws of z (default: ${DEFAULT-VALUE}).")
  private long outer;

  @Option(
      names = "--inner",
      paramLabel = "M",
      defaultValue = "100",
      description = "Paths back from each z (default: ${DEFAULT-VALUE}).")
  private long inner;

  @Option(
      names = "--repeat",
      paramLabel = "R",
      defaultValue = "1",
      description =
          "Independent estimates; with more than one, mean and population sd are shown (default: ${DEFAULT-VALUE}).")
  private int repeats;

  @Option(
      names = "--chunk",
      paramLabel = "C",
      defaultValue = "" + MogEvaluation.CHUNK,
      description = "Draws computed at a time (default: ${DEFAULT-VALUE}).")
  private long chunk;

  @Override
  public Integer call() {
    requirePositive("--outer", outer);
    requirePositive("--inner", inner);
    requirePositive("--repeat", repeats);
    requirePositive("--chunk", chunk);
    try (var interrupt = Interrupt.install();
        var directory = RunDirectory.open(path)) {
      if (!directory.has("result.json")) {
        throw new UserException(path + " is not finished: go on with cifvi resume " + path);
      }
      return evaluate(directory, new MogConsole("evaluate", interrupt));
    }
  }

  private int evaluate(RunDirectory directory, MogConsole console) {
    var seed = MogSpec.parse(directory.read("spec.yaml")).seed();
    var evaluations = new Evaluations(directory);
    PrintWriter out = spec.commandLine().getOut();
    var auxiliary = new Moments();
    var lower = new Moments();
    var upper = new Moments();
    try (var model = MogRun.load(directory, console)) {
      var evaluation = new MogEvaluation(model, seed, chunk);
      for (int repeat = 0; repeat < repeats; repeat++) {
        String task = repeats == 1 ? "marginal ELBO" : "estimate " + (repeat + 1) + "/" + repeats;
        long start = System.nanoTime();
        Bracket bracket =
            evaluation.marginalElbo(
                outer, inner, repeat, (done, of) -> console.evaluating(task, done, of));
        evaluations.append(outer, inner, repeat, bracket, (System.nanoTime() - start) / 1e9);
        auxiliary.add(bracket.auxiliary().mean());
        lower.add(bracket.lower().mean());
        upper.add(bracket.upper().mean());
        if (repeats == 1) {
          evaluations.update(outer, inner, bracket);
          print(out, bracket);
        }
      }
    } catch (Progress.StoppedException _) {
      spec.commandLine()
          .getErr()
          .println("stopped; finished estimates are in " + directory.file("evaluations.csv"));
      return ExitCode.INTERRUPTED;
    }
    if (repeats > 1) {
      out.printf("N = %,d, M = %,d, %d estimates: mean ± population sd%n", outer, inner, repeats);
      print(out, "auxiliary ELBO", auxiliary.mean(), auxiliary.populationStd());
      print(out, "marginal ELBO, lower", lower.mean(), lower.populationStd());
      print(out, "marginal ELBO, upper (eq. 22)", upper.mean(), upper.populationStd());
    }
    return ExitCode.DONE;
  }

  private void print(PrintWriter out, Bracket bracket) {
    out.printf("N = %,d, M = %,d: estimate ± standard error%n", outer, inner);
    print(out, "auxiliary ELBO", bracket.auxiliary());
    print(out, "marginal ELBO, lower", bracket.lower());
    print(out, "marginal ELBO, upper (eq. 22)", bracket.upper());
  }

  private static void print(PrintWriter out, String name, Estimate estimate) {
    print(out, name, estimate.mean(), estimate.standardError());
  }

  private static void print(PrintWriter out, String name, double mean, double spread) {
    out.printf(Locale.ROOT, "%-30s %9.5f ± %.5f%n", name, mean, spread);
    out.flush();
  }

  private static void requirePositive(String option, long value) {
    if (value < 1) {
      throw new UserException(option + ": expected at least 1, got " + value);
    }
  }
}
