package cifvi.cli.reproduce;

import cifvi.cli.option.ExitCode;
import cifvi.cli.option.RunOptions;
import cifvi.cli.sweep.SweepPlan;
import cifvi.cli.sweep.SweepRunner;
import cifvi.experiments.benchmark.RunTimer;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.objectives.ObjectiveComparison;
import cifvi.experiments.objectives.ObjectiveComparison.Row;
import cifvi.experiments.objectives.ObjectiveComparison.Task;
import cifvi.experiments.objectives.ObjectiveComparison.Timing;
import cifvi.experiments.objectives.ObjectiveTable;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce objectives}: whether a better bound trains a better model. */
@Command(
    name = "objectives",
    sortOptions = false,
    description = "CIF-NSF trained by every objective, for the same time each.",
    footer = {
      "Steps are timed first, on one core; let nothing else run then. timings.csv keeps what was",
      "measured, and is used again. Writes objectives.csv and objectives.txt."
    })
public final class ObjectivesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--tasks",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "k16,mnist",
      description = "k16, the mixture, and mnist, small decoder (default: ${DEFAULT-VALUE}).")
  private List<String> tasks;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "Of the ELBO on the mixture; those of others follow (default: ${DEFAULT-VALUE}).")
  private long steps;

  @Mixin private Seeds seeds;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Of the ELBO on MNIST, 10,800 images each, one seed (default: ${DEFAULT-VALUE}).")
  private long epochs;

  @Option(names = "--data-dir", paramLabel = "DIR", description = "Where the images are.")
  private @Nullable Path dataDir;

  @Option(
      names = "--timing-seconds",
      paramLabel = "S",
      defaultValue = "20",
      description = "Of steps, for each task and objective (default: ${DEFAULT-VALUE}).")
  private double timingSeconds;

  @Option(names = "--only-timings", description = "Stop when steps are timed.")
  private boolean onlyTimings;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/objectives",
      description = "Where the runs go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Mixin private SweepRunner runner;

  @Override
  public Integer call() {
    RunSpec.requireCount("--steps", steps, Integer.MAX_VALUE);
    RunSpec.requireCount("--epochs", epochs, Integer.MAX_VALUE);
    RunSpec.requirePositive("--timing-seconds", timingSeconds);
    List<Task> chosen =
        tasks.stream()
            .map(name -> RunOptions.choice("--tasks", name.strip(), Task.values()))
            .distinct()
            .toList();
    var comparison =
        new ObjectiveComparison(
            steps,
            seeds.texts().stream().map(Long::valueOf).toList(),
            epochs,
            dataDir == null ? null : dataDir.toAbsolutePath().normalize().toString());
    List<Timing> timings = timings(comparison, chosen);
    if (onlyTimings) {
      return ExitCode.DONE;
    }
    List<List<Row>> rows = chosen.stream().map(task -> comparison.rows(task, timings)).toList();
    int exitCode =
        runner.run(SweepPlan.together(rows.stream().map(this::plan).toList()), out, spec);
    if (exitCode != ExitCode.INTERRUPTED && !runner.dryRun()) {
      print(rows.stream().filter(this::isDone).map(task -> new ObjectiveTable(out, task)).toList());
    }
    return exitCode;
  }

  /** Those that were measured before, and new ones of the others. */
  private List<Timing> timings(ObjectiveComparison comparison, List<Task> chosen) {
    try {
      Files.createDirectories(out);
    } catch (IOException e) {
      throw new UserException(out + ": " + WholeFile.reason(e), e);
    }
    Path file = out.resolve("timings.csv");
    for (Task task : chosen) {
      boolean known =
          CsvLog.read(file, Timing.class).stream()
              .anyMatch(timing -> timing.task().equals(task.toString()));
      if (!known) {
        time(comparison, task).forEach(timing -> CsvLog.append(file, Timing.class, timing));
      }
    }
    return CsvLog.read(file, Timing.class);
  }

  private List<Timing> time(ObjectiveComparison comparison, Task task) {
    var objectives = ObjectiveComparison.OBJECTIVES;
    List<Double> ms =
        RunTimer.msPerStep(
            objectives.stream().map(objective -> comparison.timed(task, objective)).toList(),
            timingSeconds);
    var timings = new ArrayList<Timing>();
    for (int i = 0; i < ms.size(); i++) {
      timings.add(new Timing(task.toString(), objectives.get(i).toString(), ms.get(i)));
    }
    return timings;
  }

  private SweepPlan plan(List<Row> rows) {
    return SweepPlan.of(
        rows.stream()
            .flatMap(row -> row.runs().stream())
            .map(
                run ->
                    SpecCell.of(
                        ObjectiveComparison.directory(run), run, List.of("objective", "seed")))
            .toList(),
        out);
  }

  private boolean isDone(List<Row> rows) {
    return rows.stream()
        .flatMap(row -> row.runs().stream())
        .allMatch(run -> new CellFolder(out.resolve(ObjectiveComparison.directory(run))).isDone());
  }

  private void print(List<ObjectiveTable> tables) {
    var lines = tables.stream().flatMap(table -> table.lines().stream()).toList();
    List<String> text = ObjectiveTable.text(lines);
    var print = spec.commandLine().getOut();
    text.forEach(print::println);
    print.flush();
    WholeFile.replace(out.resolve("objectives.csv"), ObjectiveTable.csv(lines));
    WholeFile.replace(out.resolve("objectives.txt"), String.join("\n", text) + "\n");
  }
}
