package cifvi.cli.reproduce;

import cifvi.cli.option.DeviceOption;
import cifvi.cli.option.ExitCode;
import cifvi.cli.option.RunOptions;
import cifvi.cli.plot.Cell;
import cifvi.cli.plot.DensityFigure;
import cifvi.cli.plot.FigureGrid;
import cifvi.cli.plot.Numerals;
import cifvi.cli.sweep.SweepPlan;
import cifvi.cli.sweep.SweepRunner;
import cifvi.experiments.density.ComparedModel;
import cifvi.experiments.density.DensityExperiment;
import cifvi.experiments.density.DensityPicture;
import cifvi.experiments.density.DensityResult;
import cifvi.experiments.density.DensitySpec;
import cifvi.experiments.density.DensityTable;
import cifvi.experiments.density.DensityTable.ComparedRun;
import cifvi.experiments.density.PlaneSet;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.sweep.CellFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce density}: CIF-NSF beside flows as density models in the plane. */
@Command(
    name = "density",
    sortOptions = false,
    description = "Densities in the plane: CIF-NSF, the flow inside it, and flows as large.",
    footer = {
      "Writes density.csv, density.txt and density.png too; results.csv has every run. Models with",
      "the same seed see the same rows, and are compared on the same test rows."
    })
public final class DensitiesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--sets",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "rings,checkerboard,two-moons",
      description = "Which, or all (default: ${DEFAULT-VALUE}).")
  private List<String> sets;

  @Mixin private Seeds seeds;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "6000",
      description = "Of every run (default: ${DEFAULT-VALUE}).")
  private long steps;

  @Option(
      names = "--learning-rate",
      paramLabel = "RATE",
      defaultValue = "0.005",
      description = "Of every run, falling to 0 (default: ${DEFAULT-VALUE}).")
  private double learningRate;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/density",
      description = "Where the runs are or go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Option(names = "--only-table", description = "Run nothing: the table of what is there.")
  private boolean onlyTable;

  @Mixin private DeviceOption device;

  @Mixin private SweepRunner runner;

  /** A run of the table. */
  private record Planned(PlaneSet set, ComparedModel model, cifvi.experiments.sweep.Cell cell) {}

  @Override
  public Integer call() {
    RunSpec.requireCount("--steps", steps, Integer.MAX_VALUE);
    RunSpec.requirePositive("--learning-rate", learningRate);
    List<Planned> planned = planned();
    int exitCode =
        onlyTable
            ? ExitCode.DONE
            : runner.run(
                SweepPlan.of(planned.stream().map(Planned::cell).toList(), out), out, spec);
    if (exitCode != ExitCode.INTERRUPTED && !runner.dryRun()) {
      write(new DensityTable(finished(planned)));
    }
    return exitCode;
  }

  private List<Planned> planned() {
    List<PlaneSet> chosen =
        sets.equals(List.of("all"))
            ? List.of(PlaneSet.values())
            : sets.stream()
                .map(name -> RunOptions.choice("--sets", name.strip(), PlaneSet.values()))
                .toList();
    var planned = new ArrayList<Planned>();
    for (PlaneSet set : chosen) {
      for (ComparedModel model : ComparedModel.values()) {
        seeds.texts().forEach(seed -> planned.add(new Planned(set, model, cell(set, model, seed))));
      }
    }
    return planned;
  }

  private cifvi.experiments.sweep.Cell cell(PlaneSet set, ComparedModel model, String seed) {
    var options = model.options();
    options.put("data", set.toString());
    options.put("seed", seed);
    options.put("steps", Long.toString(steps));
    options.put("learning_rate", Double.toString(learningRate));
    options.put("threads", "1");
    options.put("device", device.name());
    return new cifvi.experiments.sweep.Cell(
        "%s-%s-seed%s".formatted(set, model, seed),
        DensitySpec.KIND,
        options,
        List.of("data", "model", "flow_steps", "hidden", "seed"));
  }

  private List<ComparedRun> finished(List<Planned> planned) {
    var runs = new ArrayList<ComparedRun>();
    for (Planned each : planned) {
      Path run = out.resolve(each.cell.name());
      if (new CellFolder(run).isDone()) {
        var directory = RunDirectory.read(run);
        runs.add(
            new ComparedRun(
                each.set.toString(), each.model, directory, DensityResult.read(directory)));
      }
    }
    return runs;
  }

  private void write(DensityTable table) {
    var print = spec.commandLine().getOut();
    table.text().forEach(print::println);
    print.flush();
    WholeFile.replace(out.resolve("density.csv"), table.csv());
    WholeFile.replace(out.resolve("density.txt"), String.join("\n", table.text()) + "\n");
    if (table.runs().isEmpty()) {
      return;
    }
    List<List<Cell>> rows = table.sets().stream().map(set -> row(table, set)).toList();
    Path png = out.resolve("density.png");
    FigureGrid.of(rows)
        .withHeadings(
            Stream.concat(
                    Stream.of("data"),
                    Arrays.stream(ComparedModel.values()).map(ComparedModel::label))
                .toList(),
            table.sets())
        .write(png);
    print.println(png);
    print.flush();
  }

  /** The test rows of a set, and each model's density of it. */
  private List<Cell> row(DensityTable table, String set) {
    var cells = new ArrayList<Cell>();
    for (ComparedModel model : ComparedModel.values()) {
      Optional<ComparedRun> shown = table.middle(set, model);
      if (shown.isEmpty()) {
        cells.add(Cell.message("", "no run"));
        continue;
      }
      var experiment = new DensityExperiment();
      try (var trained =
              Run.load(experiment, shown.get().directory(), device.name(), RunListener.SILENT);
          var weights = trained.weights()) {
        DensitySpec settings = trained.spec();
        var picture =
            new DensityPicture(
                experiment.data(settings),
                experiment.evaluation(settings, trained.model(), weights),
                settings.seed());
        if (cells.isEmpty()) {
          cells.add(DensityFigure.rows(picture));
        }
        String title = "log-likelihood " + Numerals.title(shown.get().result().logLikelihood());
        cells.add(DensityFigure.density(picture, title));
      }
    }
    return cells;
  }
}
