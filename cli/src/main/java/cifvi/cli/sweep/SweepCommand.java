package cifvi.cli.sweep;

import cifvi.cli.cluster.ClusterOptions;
import cifvi.cli.cluster.Workspace;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi sweep SPEC.yaml}: many runs from one file. */
@Command(
    name = "sweep",
    sortOptions = false,
    description = "Make many runs from one file, as many at a time as there are cores.",
    footer = {
      "SPEC is a flat YAML map: kind (a command such as mog), then long names of its options with",
      "_ for -; a list is an axis of the grid, true is a flag. Each cell gets a folder under DIR,",
      "named after what varies; results.csv and index.html there are always current.",
      "Stopped, or killed: the same command goes on, and cells that are done stay as they are."
    })
public final class SweepCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SPEC", description = "The file.")
  private Path file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where the runs go (default: runs/ and the name of the file); with --master a folder that"
              + " all machines see, by its path or URI.")
  private @Nullable String out;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "cpu or cuda[:n], for a SPEC that names none (default: cpu).")
  private @Nullable String device;

  @Mixin private SweepRunner runner;

  @Mixin private ClusterOptions cluster;

  @Option(
      names = "--parquet",
      paramLabel = "DIR",
      description = "With --master: metrics and draws of all cells as one Parquet data set.")
  private @Nullable String parquet;

  @Override
  public Integer call() {
    cluster.requireMaster("--parquet", parquet != null);
    String address = out == null ? Path.of("runs", name()).toString() : out;
    try (Workspace workspace = cluster.workspace("--out", address)) {
      if (!cluster.isGiven()) {
        return runner.run(plan(Path.of(address)), Path.of(address), spec);
      }
      SweepPlan plan = plan(workspace.folder());
      return runner.run(
          plan,
          workspace.folder(),
          spec,
          () ->
              new Elsewhere(
                  cluster.connect("cifvi " + name(), workspace), workspace, plan, parquet));
    }
  }

  private String name() {
    return String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
  }

  private SweepSpec onDevice(SweepSpec sweep) {
    if (device == null) {
      return sweep;
    }
    var settings = new LinkedHashMap<>(sweep.settings());
    settings.putIfAbsent("device", SweepSpec.Setting.fixed(device));
    return new SweepSpec(sweep.kind(), settings);
  }

  private SweepPlan plan(Path folder) {
    try {
      return SweepPlan.of(
          onDevice(SweepSpec.parse(WholeFile.read(file))), folder, !cluster.isGiven());
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + WholeFile.reason(e), e);
    } catch (UserException e) {
      throw new UserException(file + ": " + e.getMessage(), e);
    }
  }
}
