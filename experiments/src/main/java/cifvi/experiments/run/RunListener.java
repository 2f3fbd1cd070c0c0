package cifvi.experiments.run;

/** Follows a run; asked after every step whether to go on. */
public interface RunListener {
  RunListener SILENT = new RunListener() {};

  /** Something worth a line: which engine runs and why, a checkpoint that was refused. */
  default void note(String line) {}

  /** Before the first step of a fit, while modes are looked for; return false to stop. */
  default boolean searching(long calls) {
    return true;
  }

  /** After a training step; return false to save and stop. */
  default boolean step(long done, long steps, double elbo) {
    return true;
  }

  /** Likewise in a run of several stages, with the name of the one that the numbers are of. */
  default boolean step(String stage, long done, long steps, double elbo) {
    return step(done, steps, elbo);
  }

  /** After the validation of an epoch. */
  default void epoch(EpochRow row) {}

  /** While evaluating; return false to stop. */
  default boolean evaluating(String what, long done, long of) {
    return true;
  }
}
