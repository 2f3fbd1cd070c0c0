package cifvi.cli.kind;

import cifvi.cli.cluster.ClusterParts;
import cifvi.experiments.files.UserException;
import cifvi.experiments.run.RunSpec;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The options of {@code cifvi evaluate}; null where not given. */
public record EvaluateOptions(
    @Nullable String device,
    @Nullable Long outer,
    @Nullable Long inner,
    @Nullable Integer importanceSamples,
    @Nullable Integer limitTest,
    @Nullable Integer validation,
    @Nullable Path dataDir,
    int repeats,
    @Nullable Integer chunk,
    @Nullable ClusterParts elsewhere) {
  /** Of each kind: their products still are numbers. */
  private static final long MOST_DRAWS = 1_000_000_000;

  /** Some GB on the eager engine. */
  private static final long MOST_AT_A_TIME = 1_000_000;

  public EvaluateOptions {
    RunSpec.requireCount("--repeat", repeats, MOST_DRAWS);
    if (chunk != null) {
      RunSpec.requireCount("--chunk", chunk, MOST_AT_A_TIME);
    }
  }

  /** Refuses machines that a kind has no use for. */
  void requireHere(String kind) {
    if (elsewhere != null) {
      throw new UserException(
          "--master: runs of kind " + kind + " are evaluated on one machine: leave it out");
    }
  }

  /** Refuses an option that the kind has no use for. */
  static void refuse(String option, @Nullable Object value, String kind) {
    if (value != null) {
      throw new UserException(option + ": is not for runs of kind " + kind + ": leave it out");
    }
  }

  static <N extends Number> N positive(String option, @Nullable N value, N byDefault) {
    N used = value == null ? byDefault : value;
    RunSpec.requireCount(option, used.longValue(), MOST_DRAWS);
    return used;
  }
}
