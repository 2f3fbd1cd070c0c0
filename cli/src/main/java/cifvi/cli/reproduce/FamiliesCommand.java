package cifvi.cli.reproduce;

import cifvi.cli.kind.MogConsole;
import cifvi.cli.option.ExitCode;
import cifvi.cli.option.RunOptions;
import cifvi.cli.plot.Cell;
import cifvi.cli.plot.FigureGrid;
import cifvi.cli.progress.Interrupt;
import cifvi.experiments.benchmark.RunTimer;
import cifvi.experiments.files.Csv;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.mog.FamilyComparison;
import cifvi.experiments.mog.FamilyComparison.Equal;
import cifvi.experiments.mog.FamilyComparison.Timing;
import cifvi.experiments.mog.FamilyTable;
import cifvi.experiments.mog.MogExperiment;
import cifvi.experiments.mog.MogGrid;
import cifvi.experiments.mog.MogResult;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunSpec;
import cifvi.vi.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce families}: CIF-NSF beside the families of paper section 3.2. */
@Command(
    name = "families",
    sortOptions = false,
    description = "Mixtures: CIF-NSF, HVM, SIVI and Hamiltonian VI, at equal time and evaluations.",
    footer = {
      "Steps are timed first, on one core; let nothing else run then. timings.csv keeps what was",
      "measured, and is used again. Writes families.csv, families.txt and families.png."
    })
public final class FamiliesCommand implements Callable<Integer> {
  private static final int MOST_SEEDS = 1000;
  private static final List<String> HEADER = List.of("components", "model", "ms_per_step");

  @Spec private CommandSpec spec;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Of the CIF; those of the others follow (default: ${DEFAULT-VALUE}).")
  private long steps;

  @Option(
      names = "--seeds",
      defaultValue = "3",
      description = "Runs a cell (default: ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--timing-seconds",
      paramLabel = "S",
      defaultValue = "20",
      description = "Of steps, for each family and mixture (default: ${DEFAULT-VALUE}).")
  private double timingSeconds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/families",
      description = "Where the runs go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Mixin private ReproduceCommand.Jobs jobs;

  @Override
  public Integer call() {
    RunSpec.requireCount("--steps", steps, Integer.MAX_VALUE);
    RunSpec.requireCount("--seeds", seeds, MOST_SEEDS);
    RunSpec.requirePositive("--timing-seconds", timingSeconds);
    PrintWriter err = spec.commandLine().getErr();
    try (var interrupt = Interrupt.install()) {
      Files.createDirectories(out);
      List<Timing> timings = timings();
      var rows = new FamilyComparison(steps, seeds).rows(timings);
      var table = new FamilyTable(rows, timings, results(rows, interrupt));
      write(table);
      return ExitCode.DONE;
    } catch (Progress.StoppedException _) {
      err.println("saved; go on with the same command");
      return ExitCode.INTERRUPTED;
    } catch (IOException e) {
      throw new UserException(out + ": " + WholeFile.reason(e), e);
    }
  }

  /** Those that were measured before, or new ones. */
  private List<Timing> timings() throws IOException {
    Path file = out.resolve("timings.csv");
    if (!Files.exists(file)) {
      var text = new StringBuilder(Csv.line(HEADER));
      List<MogSpec> specs = FamilyComparison.timed();
      List<Double> ms = RunTimer.msPerStep(specs, timingSeconds);
      for (int i = 0; i < specs.size(); i++) {
        text.append(Csv.line(List.of(specs.get(i).components(), specs.get(i).model(), ms.get(i))));
      }
      WholeFile.replace(file, text.toString());
    }
    var timings = new ArrayList<Timing>();
    Csv.read(
        WholeFile.read(file),
        line -> {
          if (!line.cells().equals(HEADER)) {
            timings.add(timing(file, line.cells()));
          }
        });
    return timings;
  }

  private static Timing timing(Path file, List<String> cells) {
    try {
      var model = RunOptions.choice(file + ": model", cells.get(1), MogSpec.Flow.values());
      return new Timing(Integer.parseInt(cells.get(0)), model, Double.parseDouble(cells.get(2)));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new UserException(
          file + ": expected components, model and milliseconds, got " + String.join(",", cells),
          e);
    }
  }

  private Map<MogSpec, MogResult> results(List<FamilyComparison.Row> rows, Interrupt interrupt) {
    var grid = new MogGrid(rows.stream().flatMap(row -> row.runs().stream()).distinct().toList());
    new MogJobs(grid, out).train(jobs.count(), interrupt);
    var results = new LinkedHashMap<MogSpec, MogResult>();
    for (MogSpec run : grid.specs()) {
      String name = "run " + (results.size() + 1) + "/" + grid.specs().size();
      Path folder = out.resolve(MogGrid.directory(run));
      var console = new MogConsole(name, interrupt);
      results.put(
          run,
          Run.startOrResume(new MogExperiment(), run, folder, console)
              .orElseThrow(Progress.StoppedException::new));
    }
    return results;
  }

  private void write(FamilyTable table) {
    PrintWriter print = spec.commandLine().getOut();
    table.text().forEach(print::println);
    print.flush();
    WholeFile.replace(out.resolve("families.csv"), table.csv());
    WholeFile.replace(out.resolve("families.txt"), String.join("\n", table.text()) + "\n");
    var cells = new ArrayList<List<Cell>>();
    for (int components : FamilyComparison.COMPONENTS) {
      cells.add(
          table.rows().stream()
              .filter(row -> row.equal() == Equal.TIME)
              .filter(row -> row.firstSeed().components() == components)
              .map(row -> cell(table, row))
              .toList());
    }
    FigureGrid.of(cells)
        .withHeadings(
            FamilyComparison.FAMILIES.stream().map(MogSpec.Flow::toString).toList(),
            FamilyComparison.COMPONENTS.stream().map(k -> "K = " + k).toList())
        .write(out.resolve("families.png"));
  }

  private Cell cell(FamilyTable table, FamilyComparison.Row row) {
    String title = MogFigures.title(table.marginal(row).mean());
    return Cell.density(title, MogFigures.density(out, table.middle(row)));
  }
}
