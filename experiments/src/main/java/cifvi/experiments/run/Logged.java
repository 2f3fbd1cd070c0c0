package cifvi.experiments.run;

/**
 * How far the logs of a run reach; a checkpoint counts on a line for each of its steps and epochs.
 *
 * @param epochs 0 where the run has no validation
 */
public record Logged(long steps, long epochs) {
  /** The steps of a run, and the epochs told of elsewhere. */
  public static Logged of(RunDirectory directory, long epochs) {
    return new Logged(StepRow.count(directory), epochs);
  }

  /** Power may fail after a checkpoint came to the disk and before the lines did. */
  void require(Counters counters) {
    requireSteps(counters.step());
    if (counters.stopping() != null) {
      require("epochs.csv", "epochs", epochs, counters.stopping().epochs());
    }
  }

  void requireSteps(long needed) {
    require("metrics.csv", "steps", steps, needed);
  }

  private static void require(String file, String what, long there, long needed) {
    if (there < needed) {
      throw new IllegalArgumentException(
          "%s has good lines for %d %s only, the checkpoint counts on %d"
              .formatted(file, there, what, needed));
    }
  }
}
