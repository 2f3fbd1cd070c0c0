package cifvi.cli.option;

import cifvi.experiments.run.NamedObjective;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a run maximises. */
public final class ObjectiveOptions {
  @Option(
      names = "--objective",
      paramLabel = "NAME",
      description = "elbo, path, iwae:K, dreg:K or iwhvi:M (default: as the model).")
  private @Nullable String objective;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Steps in which the weight of log p rises to 1.")
  private @Nullable Long warmUp;

  /** Null where nobody said. */
  public @Nullable NamedObjective objective() {
    return objective == null ? null : NamedObjective.parse(objective);
  }

  public NamedObjective objective(NamedObjective byDefault) {
    return objective == null ? byDefault : NamedObjective.parse(objective);
  }

  public @Nullable Long warmUp() {
    return warmUp;
  }
}
