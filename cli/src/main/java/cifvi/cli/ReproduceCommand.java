package cifvi.cli;

import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogRun;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Table6;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.UserException;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code cifvi reproduce WHAT}: trains what a figure or table of the paper needs and prints ours
 * beside the paper's.
 */
@Command(
    name = "reproduce",
    sortOptions = false,
    description = "Redo a figure or table of the paper and print ours beside the paper's.",
    footer = {
      "Finished runs are kept and reused; stop with Ctrl-C and start again to go on.",
      "The paper's own numbers come from the placement 'released' (the authors' code)."
    })
final class ReproduceCommand implements Callable<Integer> {
  private static final long PAPER_STEPS = 20_000;

  /** Mean and standard error over three runs, paper section 4.1. */
  private static final Map<String, String> PAPER_K16 =
      Map.of("cif-nsf", "-0.116 ± 0.021", "nsf", "-0.562 ± 0.008");

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "WHAT", description = "figure2, figures3-5, k16 or table6.")
  private String what;

  @Option(
      names = "--seeds",
      defaultValue = "3",
      description = "Runs a cell (default: ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--budget",
      paramLabel = "FRACTION",
      defaultValue = "1",
      description = "Of the paper's 20,000 steps (default: ${DEFAULT-VALUE}).")
  private double budget;

  @Option(
      names = "--linear-up-to",
      paramLabel = "N",
      defaultValue = "1000",
      description = "table6: largest N with M = N (default: ${DEFAULT-VALUE}).")
  private long linearUpTo;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/reproduce",
      description = "Where the runs go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Override
  public Integer call() {
    if (!(budget > 0) || budget > 1) {
      throw new UserException("--budget: expected a number above 0 and up to 1, got " + budget);
    }
    if (seeds < 1) {
      throw new UserException("--seeds: expected at least 1, got " + seeds);
    }
    long steps = Math.max(1, Math.round(PAPER_STEPS * budget));
    try (var interrupt = Interrupt.install()) {
      switch (what) {
        case "figure2" -> figure2(MogGrid.figure2(steps, seeds), interrupt);
        case "figures3-5" -> figures3to5(MogGrid.figure2(steps, seeds), interrupt);
        case "k16" -> table(MogGrid.k16(steps, seeds), interrupt);
        case "table6" -> table6(steps, interrupt);
        default ->
            throw new UserException(
                "WHAT: expected figure2, figures3-5, k16 or table6, got " + what);
      }
      return ExitCode.DONE;
    } catch (Progress.StoppedException _) {
      spec.commandLine().getErr().println("saved; go on with the same command");
      return ExitCode.INTERRUPTED;
    }
  }

  private void figure2(MogGrid grid, Interrupt interrupt) {
    var results = table(grid, interrupt);
    Path png = out.resolve("figure2.png");
    new MogFigures(out, grid, results).figure2(png);
    print(png.toString());
  }

  private void figures3to5(MogGrid grid, Interrupt interrupt) {
    var results = table(grid, interrupt);
    new MogFigures(out, grid, results).figures3to5(out).forEach(png -> print(png.toString()));
  }

  /** Trains all runs of the grid and prints mean and standard error over seeds for every group. */
  private SequencedMap<MogSpec, MogResult> table(MogGrid grid, Interrupt interrupt) {
    var results = new LinkedHashMap<MogSpec, MogResult>();
    for (MogSpec run : grid.specs()) {
      String name = "run " + (results.size() + 1) + "/" + grid.specs().size();
      var result =
          MogRun.startOrResume(
              run, out.resolve(MogGrid.directory(run)), new MogConsole(name, interrupt));
      results.put(run, result.orElseThrow(Progress.StoppedException::new));
    }
    long steps = grid.specs().getFirst().steps();
    print(
        "%,d steps%s, marginal ELBO (10,000 x 100), mean ± se, seeds 1 to %d"
            .formatted(
                steps, steps == PAPER_STEPS ? "" : " (the paper's runs have 20,000)", seeds));
    print(
        "%3s %-7s %-17s %18s  %-12s %s"
            .formatted("K", "sigma0", "model", "ours", "modes", "paper"));
    grid.groups()
        .forEach(
            (group, runs) -> {
              var ours = runs.stream().map(results::get).toList();
              print(
                  "%3d %-7s %-17s %18s  %-12s %s"
                      .formatted(
                          group.components(),
                          group.sigma0(),
                          group.label(),
                          text(MogGrid.marginalElbo(ours)),
                          String.join(
                              ",",
                              ours.stream().map(r -> Integer.toString(r.modesCovered())).toList()),
                          paper(group)));
            });
    return results;
  }

  private static String paper(MogGrid.Group group) {
    return group.components() == 16
        ? PAPER_K16.getOrDefault(group.model().toString(), "")
        : "in the figure's titles only";
  }

  private void table6(long steps, Interrupt interrupt) {
    var run =
        MogGrid.figure2(steps, 1).specs().stream()
            .filter(s -> s.sigma0().toString().equals("1"))
            .findFirst()
            .orElseThrow();
    Path path = out.resolve(MogGrid.directory(run));
    var console = new MogConsole("training", interrupt);
    if (MogRun.startOrResume(run, path, console).isEmpty()) {
      throw new Progress.StoppedException();
    }
    print("Table 6 for " + path + ": mean ± population sd of " + Table6.REPEATS + " estimates");
    print(
        "%6s %6s  %17s %17s %17s   %17s %17s"
            .formatted(
                "N",
                "M",
                "marginal",
                "lower bracket",
                "auxiliary",
                "paper: marginal",
                "paper: auxiliary"));
    try (var directory = RunDirectory.open(path);
        var model = MogRun.load(directory, console)) {
      var table = new Table6(directory, model, run.seed());
      for (Table6.Paper paper : Table6.PAPER) {
        if (!paper.linear() || paper.outer() <= linearUpTo) {
          String task = "N " + paper.outer() + ", M " + paper.inner();
          var row = table.row(paper, (done, of) -> console.evaluating(task, done, of));
          print(
              "%,6d %,6d  %17s %17s %17s   %17s %17s"
                  .formatted(
                      paper.outer(),
                      paper.inner(),
                      text(row.marginal()),
                      text(row.lower()),
                      text(row.auxiliary()),
                      text(paper.marginal(), paper.marginalSd()),
                      text(paper.auxiliary(), paper.auxiliarySd())));
        }
      }
    }
  }

  private static String text(Estimate estimate) {
    return text(estimate.mean(), estimate.standardError());
  }

  private static String text(Moments moments) {
    return text(moments.mean(), moments.populationStd());
  }

  private static String text(double mean, double spread) {
    String format = Math.abs(mean) < 100 ? "%.3f" : "%.0f";
    String number = String.format(Locale.ROOT, format, mean);
    return Double.isNaN(spread)
        ? number
        : number + " ± " + String.format(Locale.ROOT, format, spread);
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
