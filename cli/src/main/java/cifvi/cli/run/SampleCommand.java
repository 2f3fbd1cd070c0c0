package cifvi.cli.run;

import cifvi.Draws;
import cifvi.cli.kind.RunKinds;
import cifvi.cli.option.ExitCode;
import cifvi.cli.progress.Printable;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi sample DIR}: more draws of a run. */
@Command(
    name = "sample",
    sortOptions = false,
    description = "Draw from the posterior, or the density, of a finished run.",
    footer = {
      "Every draw comes with log p, on the unconstrained space, and with log g, so that",
      "log p - log g is its log-weight. Of a density run log g is its log-density, log p is not known,",
      "and given columns have the values of the test rows, from the first on."
    })
public final class SampleCommand implements Callable<Integer> {
  private static final int MOST = 100_000_000;

  /** Draws for each that is kept, so that few are kept twice. */
  private static final int PROPOSALS = 4;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "A run directory.")
  private Path directory;

  @Option(
      names = {"-n", "--draws"},
      defaultValue = "4000",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int draws;

  @Option(
      names = "--seed",
      description = "Of the draws (default: that of the run, as in its file of draws).")
  private @Nullable Long seed;

  @Option(
      names = "--resampled",
      description =
          "Choose them from four times as many by their smoothed weights: draws of p where the verdict is good or usable.")
  private boolean resampled;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Ends with .csv, .npz or .zarr.")
  private Path out;

  @Override
  public Integer call() {
    RunSpec.requireCount("-n", draws, MOST);
    var run = RunDirectory.read(directory);
    try {
      Draws drawn = drawn(run);
      drawn.write(out);
      drawn.notes().forEach(note -> spec.commandLine().getErr().println("cifvi: " + note));
    } catch (IOException e) {
      throw new UserException("--out " + out + ": " + WholeFile.reason(e), e);
    }
    spec.commandLine().getOut().println(Printable.of(out));
    return ExitCode.DONE;
  }

  private Draws drawn(RunDirectory run) {
    var kind = RunKinds.of(run);
    if (!resampled) {
      return kind.draws(run, draws, seed);
    }
    RunSpec.requireCount("-n", draws, MOST / PROPOSALS);
    return kind.draws(run, PROPOSALS * draws, seed).resampled(draws, seed == null ? 1 : seed);
  }
}
