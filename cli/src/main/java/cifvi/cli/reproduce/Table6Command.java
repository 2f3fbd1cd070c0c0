package cifvi.cli.reproduce;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cifvi reproduce table6}. */
@Command(
    name = "table6",
    sortOptions = false,
    description = "Mixtures: the marginal ELBO estimator for growing N and M.",
    footer = {
      "One run is trained and then estimated with all cores, so there are no --jobs. A --budget below",
      "1 also leaves out rows with more draws than that share of the longest row."
    })
public final class Table6Command implements Callable<Integer> {
  @Mixin private MogReproduction mog;

  @Option(
      names = "--linear-up-to",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Largest N with M = N (default: ${DEFAULT-VALUE}).")
  private long linearUpTo;

  @Override
  public Integer call() {
    return mog.table6(linearUpTo);
  }
}
