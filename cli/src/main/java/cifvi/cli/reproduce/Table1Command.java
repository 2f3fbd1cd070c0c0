package cifvi.cli.reproduce;

import cifvi.cli.option.DeviceOption;
import cifvi.cli.option.ExitCode;
import cifvi.cli.report.sweep.Table1Page;
import cifvi.cli.sweep.SweepPlan;
import cifvi.cli.sweep.SweepRunner;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.paper.Differences;
import cifvi.experiments.paper.Table1;
import cifvi.experiments.paper.Table1Beside;
import cifvi.experiments.paper.Table1Csv;
import cifvi.experiments.sweep.SweepSpec;
import cifvi.experiments.sweep.SweepSpec.Setting;
import cifvi.posterior.Placement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi reproduce table1}: the sweep over all image models, beside the paper's table. */
@Command(
    name = "table1",
    sortOptions = false,
    description = "Images: test log-likelihood of every model, data set and decoder.",
    footer = {
      "Writes table1.html and table1.csv too. With --placement released,paper the CIFs run in both",
      "placements. A folder of any image runs will do for --only-table, such as that of a sweep."
    })
public final class Table1Command implements Callable<Integer> {
  private static final long PAPER_EPOCHS = 1000;

  @Spec private CommandSpec spec;

  @Mixin private TableOptions options;

  @Option(
      names = "--decoder",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "small,large",
      description = "small, large or both (default: both).")
  private List<String> decoders;

  @Option(
      names = "--placement",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "released",
      description = "Of the affine in u of CIFs: released, paper or both (default: released).")
  private List<String> placements;

  @Mixin private Seeds seeds;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "At most so many (default: the paper's 1000, or --budget of it).")
  private @Nullable Long epochs;

  @Option(
      names = "--budget",
      paramLabel = "FRACTION",
      defaultValue = "1",
      description = "Of the paper's 1000 epochs (default: ${DEFAULT-VALUE}).")
  private double budget;

  @Option(
      names = "--importance-samples",
      paramLabel = "S",
      defaultValue = "1000",
      description = "Of the log-likelihood (default: ${DEFAULT-VALUE}).")
  private long importanceSamples;

  @Option(names = "--data-dir", paramLabel = "DIR", description = "Where the images are.")
  private @Nullable Path dataDir;

  @Mixin private DeviceOption device;

  @Option(names = "--only-table", description = "Run nothing: the table of what is there.")
  private boolean onlyTable;

  @Option(
      names = "--beside",
      paramLabel = "DIR",
      description = "Runs with other settings: their means, and differences from them.")
  private @Nullable Path beside;

  @Mixin private SweepRunner runner;

  @Override
  public Integer call() {
    MogReproduction.requireFraction("--budget", budget);
    int exitCode = onlyTable ? ExitCode.DONE : train();
    if (exitCode != ExitCode.INTERRUPTED && !runner.dryRun()) {
      print();
    }
    return exitCode;
  }

  private int train() {
    var plans = specs().stream().map(sweep -> SweepPlan.of(sweep, options.out())).toList();
    return runner.run(SweepPlan.together(plans), options.out(), spec);
  }

  private void print() {
    List<Decoder> chosen = TableOptions.choices("--decoder", decoders, Decoder.values());
    Table1 table = options.table(chosen);
    Differences differences = Differences.in(table);
    Path folder = options.out();
    var out = spec.commandLine().getOut();
    new Table1Text(table, differences).lines().forEach(out::println);
    var csv = new Table1Csv(table, differences);
    WholeFile.replace(folder.resolve("table1.csv"), csv.cells());
    WholeFile.replace(folder.resolve("table1-differences.csv"), csv.differencesOfPairs());
    Table1Page.write(table, differences, folder.resolve("table1.html"));
    if (beside != null) {
      var both = new Table1Beside(table, options.table(chosen, "--beside", beside));
      Table1Text.beside(both, beside).forEach(out::println);
      WholeFile.replace(folder.resolve("table1-beside.csv"), both.csv());
    }
    out.println(folder.resolve("table1.html"));
    out.flush();
  }

  /**
   * All models in the first placement; in any other the CIFs alone, as the placement says nothing
   * of the rest.
   */
  public List<SweepSpec> specs() {
    var specs = new ArrayList<SweepSpec>();
    List<ImageModel> models = options.models();
    for (Placement placement :
        TableOptions.choices("--placement", placements, Placement.values())) {
      if (!models.isEmpty()) {
        specs.add(sweep(models, placement, specs.isEmpty()));
      }
      models = models.stream().filter(ImageModel::cif).toList();
    }
    return specs;
  }

  private SweepSpec sweep(List<ImageModel> models, Placement placement, boolean first) {
    var settings = new LinkedHashMap<String, Setting>();
    settings.put("model", Setting.axis(TableOptions.names(models)));
    settings.put(
        "placement",
        first ? Setting.fixed(placement.toString()) : Setting.axis(List.of(placement.toString())));
    settings.put("data", Setting.axis(TableOptions.names(options.data())));
    settings.put("decoder", Setting.axis(decoders));
    settings.put("seed", Setting.axis(seeds.texts()));
    settings.put("epochs", Setting.fixed(Long.toString(epochs())));
    settings.put("importance_samples", Setting.fixed(Long.toString(importanceSamples)));
    settings.put("fixed_binarisation", Setting.fixed("true"));
    if (!device.name().equals("cpu")) {
      settings.put("device", Setting.fixed(device.name()));
    }
    if (dataDir != null) {
      settings.put("data_dir", Setting.fixed(dataDir.toString()));
    }
    return new SweepSpec("images", settings);
  }

  private long epochs() {
    return epochs == null ? Math.max(1, Math.round(PAPER_EPOCHS * budget)) : epochs;
  }
}
