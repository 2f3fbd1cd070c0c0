package cifvi.vi;

/**
 * What the steps of one process took.
 *
 * @param steps how many they were
 * @param seconds from the first to the last, saving left out
 * @param density of them, in which a density in plain numbers was called; NaN where it is one of
 *     libtorch's operations and cannot be told from the rest
 * @param waiting of them, in which the thread that takes the steps waited for others
 */
public record StepTime(long steps, double seconds, double density, double waiting) {
  /** No steps at all. */
  public static final StepTime NONE = new StepTime(0, 0, 0, 0);

  /** Of these and of others. */
  public StepTime plus(StepTime other) {
    return new StepTime(
        steps + other.steps,
        seconds + other.seconds,
        density + other.density,
        waiting + other.waiting);
  }
}
