package cifvi.cli.reproduce;

import cifvi.cli.kind.MogConsole;
import cifvi.cli.option.DeviceOption;
import cifvi.cli.option.ExitCode;
import cifvi.cli.progress.Interrupt;
import cifvi.experiments.files.UserException;
import cifvi.experiments.mog.MogEvaluation;
import cifvi.experiments.mog.MogExperiment;
import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Table6;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import cifvi.vi.Progress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What figures and tables of paper section 4.1 share: the options, the training of all their runs,
 * and the printing.
 */
public final class MogReproduction {
  private static final long PAPER_STEPS = 20_000;

  /** Of each of eight settings, weeks of work. */
  private static final int MOST_SEEDS = 1000;

  /** Mean and standard error over three runs, paper section 4.1. */
  private static final Map<String, String> PAPER_K16 =
      Map.of("cif-nsf", "-0.116 ± 0.021", "nsf", "-0.562 ± 0.008");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--seeds",
      defaultValue = "3",
      description = "Runs a cell (default: ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--budget",
      paramLabel = "FRACTION",
      defaultValue = "1",
      description = "Of the paper's work: 20,000 steps (default: ${DEFAULT-VALUE}).")
  private double budget;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/reproduce",
      description = "Where the runs go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Mixin private DeviceOption device;

  /** Checks the options and does the work; the exit code says whether it came to its end. */
  private int run(Consumer<Interrupt> work) {
    requireFraction("--budget", budget);
    RunSpec.requireCount("--seeds", seeds, MOST_SEEDS);
    try (var interrupt = Interrupt.install()) {
      work.accept(interrupt);
      return ExitCode.DONE;
    } catch (Progress.StoppedException _) {
      spec.commandLine().getErr().println("saved; go on with the same command");
      return ExitCode.INTERRUPTED;
    }
  }

  public static void requireFraction(String option, double value) {
    if (!(value > 0) || value > 1) {
      throw new UserException(option + ": expected a number above 0 and up to 1, got " + value);
    }
  }

  private long steps() {
    return Math.max(1, Math.round(PAPER_STEPS * budget));
  }

  public int figure2(int jobs) {
    return run(
        interrupt -> {
          Path png = out.resolve("figure2.png");
          figures(jobs, interrupt).figure2(png);
          print(png.toString());
        });
  }

  public int figures3to5(int jobs) {
    return run(
        interrupt ->
            figures(jobs, interrupt).figures3to5(out).forEach(png -> print(png.toString())));
  }

  public int k16(int jobs) {
    return run(interrupt -> table(MogGrid.k16(steps(), seeds).on(device.name()), jobs, interrupt));
  }

  /** Table 6, with M = N as far as the largest N wanted. */
  public int table6(long linearUpTo) {
    return run(interrupt -> table6(linearUpTo, interrupt));
  }

  private MogFigures figures(int jobs, Interrupt interrupt) {
    var grid = MogGrid.figure2(steps(), seeds).on(device.name());
    return new MogFigures(out, grid, table(grid, jobs, interrupt));
  }

  /** Trains all runs of the grid and prints mean and standard error over seeds for every group. */
  private SequencedMap<MogSpec, MogResult> table(MogGrid grid, int jobs, Interrupt interrupt) {
    new MogJobs(grid, out).train(jobs, interrupt);
    var results = new LinkedHashMap<MogSpec, MogResult>();
    for (MogSpec run : grid.specs()) {
      String name = "run " + (results.size() + 1) + "/" + grid.specs().size();
      var result =
          Run.startOrResume(
              new MogExperiment(),
              run,
              out.resolve(MogGrid.directory(run)),
              new MogConsole(name, interrupt));
      results.put(run, result.orElseThrow(Progress.StoppedException::new));
    }
    long steps = grid.specs().getFirst().steps();
    print(
        String.format(
            Locale.ROOT,
            "%,d steps%s, marginal ELBO (10,000 x 100), mean ± se, seeds 1 to %d",
            steps,
            steps == PAPER_STEPS ? "" : " (the paper's runs have 20,000)",
            seeds));
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

  private void table6(long linearUpTo, Interrupt interrupt) {
    var run =
        MogGrid.figure2(steps(), 1).on(device.name()).specs().stream()
            .filter(s -> s.sigma0().toString().equals("1"))
            .findFirst()
            .orElseThrow();
    Path path = out.resolve(MogGrid.directory(run));
    var console = new MogConsole("training", interrupt);
    if (Run.startOrResume(new MogExperiment(), run, path, console).isEmpty()) {
      throw new Progress.StoppedException();
    }
    List<Table6.Paper> rows = Table6.rows(linearUpTo, budget);
    int left = Table6.rows(linearUpTo, 1).size() - rows.size();
    print(
        "Table 6 for %s: mean ± population sd of %d estimates%s"
            .formatted(
                path,
                Table6.REPEATS,
                left == 0 ? "" : "; the budget leaves out the " + left + " longest rows"));
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
        var trained = Run.load(new MogExperiment(), directory, null, console);
        var weights = trained.weights(cores())) {
      var table = new Table6(directory, new MogEvaluation(trained.model(), weights, run.seed()));
      for (Table6.Paper paper : rows) {
        String task = "N " + paper.outer() + ", M " + paper.inner();
        var row = table.row(paper, (done, of) -> console.evaluating(task, done, of));
        print(
            String.format(
                Locale.ROOT,
                "%,6d %,6d  %17s %17s %17s   %17s %17s",
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

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
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
