package cifvi.cli.run;

import cifvi.cli.cluster.Cluster;
import cifvi.cli.cluster.ClusterOptions;
import cifvi.cli.cluster.ClusterParts;
import cifvi.cli.kind.EvaluateOptions;
import cifvi.cli.kind.RunKinds;
import cifvi.cli.option.ExitCode;
import cifvi.cli.option.RunDeviceOption;
import cifvi.cli.progress.Interrupt;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi evaluate DIR}: bounds with error bars for a finished run. */
@Command(
    name = "evaluate",
    sortOptions = false,
    description = {
      "Estimate the auxiliary and the marginal ELBO of a mixture run, or the test log-likelihood of an image or density run.",
    },
    footer = {
      "The marginal ELBO comes as a bracket: lower with the u that generated z, upper by eq. 22.",
      "The log-likelihood comes for the test set binarised anew, as in the paper, and for the fixed",
      "binarisation that all models share. Stopped by Ctrl-C, it goes on where it was.",
      "Every estimate but that of --validation is in evaluations.csv; result.json has the one of",
      "most draws.",
      "Memory is bounded by --chunk, not by N, M or S: on a CPU 0.5 GB for mixtures, 1 GB for images."
    })
public final class EvaluateCommand implements Callable<Integer> {
  private static final int MOST_PARTITIONS = 1_000_000;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "A finished run.")
  private Path path;

  @Option(
      names = "--outer",
      paramLabel = "N",
      description = "Mixtures: draws of z (default: 10000).")
  private @Nullable Long outer;

  @Option(
      names = "--inner",
      paramLabel = "M",
      description = "Mixtures: paths back from each z (default: 100).")
  private @Nullable Long inner;

  @Option(
      names = "--importance-samples",
      paramLabel = "S",
      description = "Images, densities: samples for each image or row (default: 1000).")
  private @Nullable Integer importanceSamples;

  @Option(
      names = "--limit-test",
      paramLabel = "N",
      description = "Images: the first N test images only (default: as in the run).")
  private @Nullable Integer limitTest;

  @Option(
      names = "--validation",
      paramLabel = "N",
      description = "Images: of the first N validation images instead, to choose settings by.")
  private @Nullable Integer validation;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Images: where the data is now (default: as in the run).")
  private @Nullable Path dataDir;

  @Option(
      names = "--repeat",
      paramLabel = "R",
      defaultValue = "1",
      description = "Independent estimates, to see their spread (default: ${DEFAULT-VALUE}).")
  private int repeats;

  @Option(
      names = "--chunk",
      paramLabel = "C",
      description =
          "Draws computed at a time (default: 8000 for mixtures, 250 for images; on a GPU 50000 and"
              + " 10000).")
  private @Nullable Integer chunk;

  @Mixin private RunDeviceOption device;

  @Mixin private ClusterOptions cluster;

  @Option(
      names = "--partitions",
      paramLabel = "P",
      description = "With --master: into how many tasks (default: as keep all cores busy).")
  private @Nullable Integer partitions;

  @Override
  public Integer call() {
    cluster.requireMaster("--partitions", partitions != null);
    if (partitions != null) {
      RunSpec.requireCount("--partitions", partitions, MOST_PARTITIONS);
    }
    EvaluateOptions here = options(null);
    try (var interrupt = Interrupt.install();
        var directory = RunDirectory.open(path)) {
      if (!cluster.isGiven()) {
        evaluate(directory, here, interrupt);
        return ExitCode.DONE;
      }
      try (var workspace = Cluster.local(path);
          var machines = cluster.connect("cifvi evaluate " + path.getFileName(), workspace)) {
        evaluate(directory, options(new ClusterParts(machines, partitions)), interrupt);
        return ExitCode.DONE;
      }
    } catch (Progress.StoppedException _) {
      spec.commandLine()
          .getErr()
          .println("stopped; what is finished is kept: run the same command again to go on");
      return ExitCode.INTERRUPTED;
    }
  }

  private void evaluate(RunDirectory directory, EvaluateOptions options, Interrupt interrupt) {
    var out = spec.commandLine().getOut();
    RunKinds.of(directory).evaluate(directory, options, out, interrupt);
  }

  private EvaluateOptions options(@Nullable ClusterParts elsewhere) {
    return new EvaluateOptions(
        device.name(),
        outer,
        inner,
        importanceSamples,
        limitTest,
        validation,
        dataDir,
        repeats,
        chunk,
        elsewhere);
  }
}
