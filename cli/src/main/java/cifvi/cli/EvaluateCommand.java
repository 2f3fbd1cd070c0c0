package cifvi.cli;

import cifvi.experiments.images.ImagesRun;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.mog.MogRun;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.run.UserException;
import cifvi.vi.Progress;
import java.nio.file.Path;
import java.util.Optional;
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
      "Estimate the auxiliary and the marginal ELBO of a mixture run, or the test log-likelihood of an image run.",
    },
    footer = {
      "The marginal ELBO comes as a bracket: lower with the u that generated z, upper by eq. 22.",
      "The log-likelihood comes for the test set binarised anew, as in the paper, and for the fixed",
      "binarisation that all models share. Stopped by Ctrl-C, it goes on where it was.",
      "Every estimate is in evaluations.csv; result.json has the one of most draws.",
      "Memory is bounded by --chunk, not by N, M or S: on a CPU 0.5 GB for mixtures, 1 GB for images."
    })
final class EvaluateCommand implements Callable<Integer> {
  /** Of each kind: their products still are numbers. */
  private static final long MOST_DRAWS = 1_000_000_000;

  /** Some GB on the eager engine. */
  private static final long MOST_AT_A_TIME = 1_000_000;

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
      description = "Images: samples for each image (default: 1000).")
  private @Nullable Integer importanceSamples;

  @Option(
      names = "--limit-test",
      paramLabel = "N",
      description = "Images: the first N test images only (default: as in the run).")
  private @Nullable Integer limitTest;

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

  @Override
  public Integer call() {
    RunSpec.requireCount("--repeat", repeats, MOST_DRAWS);
    if (chunk != null) {
      RunSpec.requireCount("--chunk", chunk, MOST_AT_A_TIME);
    }
    try (var interrupt = Interrupt.install();
        var directory = RunDirectory.open(path)) {
      switch (directory.kind()) {
        case MogSpec.KIND -> mog(directory, interrupt);
        case ImagesSpec.KIND -> images(directory, interrupt);
        default -> throw directory.unknownKind();
      }
      return ExitCode.DONE;
    } catch (Progress.StoppedException _) {
      spec.commandLine()
          .getErr()
          .println("stopped; what is finished is kept: run the same command again to go on");
      return ExitCode.INTERRUPTED;
    }
  }

  private void mog(RunDirectory directory, Interrupt interrupt) {
    requireFinished(MogRun.result(directory, MogSpec.read(directory)));
    refuse("--importance-samples", importanceSamples, MogSpec.KIND);
    refuse("--limit-test", limitTest, MogSpec.KIND);
    refuse("--data-dir", dataDir, MogSpec.KIND);
    new MogEvaluate(
            directory,
            device.name(),
            positive("--outer", outer, 10_000L),
            positive("--inner", inner, 100L),
            repeats,
            chunk)
        .run(spec.commandLine().getOut(), new MogConsole("evaluate", interrupt));
  }

  private void images(RunDirectory directory, Interrupt interrupt) {
    refuse("--outer", outer, ImagesSpec.KIND);
    refuse("--inner", inner, ImagesSpec.KIND);
    var images = ImagesSpec.read(directory);
    requireFinished(ImagesRun.result(directory, images));
    var data = dataDir == null ? images.load() : images.load(dataDir);
    int all = images.limitTest() == null ? data.test().count() : images.limitTest();
    int count = positive("--limit-test", limitTest, all);
    if (count > data.test().count()) {
      throw new UserException(
          "--limit-test: expected at most the %d there are, got %d"
              .formatted(data.test().count(), count));
    }
    new ImagesEvaluate(
            directory,
            device.name(),
            data.test(),
            count,
            positive("--importance-samples", importanceSamples, 1000),
            repeats,
            chunk)
        .run(spec.commandLine().getOut(), new ImagesConsole(images, interrupt));
  }

  private void requireFinished(Optional<?> result) {
    if (result.isEmpty()) {
      throw new UserException(path + " is not finished: go on with cifvi resume " + path);
    }
  }

  private static void refuse(String option, @Nullable Object value, String kind) {
    if (value != null) {
      throw new UserException(option + ": is not for runs of kind " + kind + ": leave it out");
    }
  }

  private static <N extends Number> N positive(String option, @Nullable N value, N byDefault) {
    N used = value == null ? byDefault : value;
    RunSpec.requireCount(option, used.longValue(), MOST_DRAWS);
    return used;
  }
}
