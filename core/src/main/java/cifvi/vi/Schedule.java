package cifvi.vi;

/** The learning rate over the steps of a run. */
@FunctionalInterface
public interface Schedule {
  double rate(long step);

  /** The paper's: the same rate throughout. */
  static Schedule constant(double rate) {
    requireRate(rate);
    return _ -> rate;
  }

  /** From {@code rate} to 0 along half a cosine over {@code steps} steps, then 0. */
  static Schedule cosine(double rate, long steps) {
    requireRate(rate);
    if (steps < 1) {
      throw new IllegalArgumentException("steps: expected at least 1, got " + steps);
    }
    return step -> rate * 0.5 * (1 + Math.cos(Math.PI * Math.min(step, steps) / steps));
  }

  /** The same, times a factor that rises to 1 along a line over the first {@code steps} steps. */
  default Schedule warmedUp(long steps) {
    if (steps < 1) {
      throw new IllegalArgumentException("warm-up: expected at least 1 step, got " + steps);
    }
    return step -> rate(step) * Math.min(1, (1.0 + step) / steps);
  }

  private static void requireRate(double rate) {
    if (!(rate > 0) || Double.isInfinite(rate)) {
      throw new IllegalArgumentException("learning rate: expected a positive number, got " + rate);
    }
  }
}
