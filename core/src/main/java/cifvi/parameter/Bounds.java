package cifvi.parameter;

/** Which transform two bounds ask for: as in Stan, an infinite one is none. */
final class Bounds {
  private Bounds() {}

  static ScalarConstraint constraint(String name, double lower, double upper) {
    if (!(lower < upper)
        || lower == Double.POSITIVE_INFINITY
        || upper == Double.NEGATIVE_INFINITY) {
      throw new IllegalArgumentException(
          "%s: expected a lower bound below the upper, got %s and %s; swap or mend them"
              .formatted(name, lower, upper));
    }
    if (Math.nextUp(lower) == upper) {
      throw new IllegalArgumentException(
          "%s: there is no double between the bounds %s and %s; move them apart"
              .formatted(name, lower, upper));
    }
    boolean below = Double.isInfinite(lower);
    boolean above = Double.isInfinite(upper);
    if (below) {
      return above ? new Unbounded() : new Upper(upper);
    }
    return above ? new Lower(lower) : interval(name, lower, upper);
  }

  private static Interval interval(String name, double lower, double upper) {
    if (Double.isInfinite(upper - lower)) {
      throw new IllegalArgumentException(
          "%s: the distance of the bounds %s and %s exceeds the largest double; take real(...)"
              .formatted(name, lower, upper));
    }
    return new Interval(lower, upper);
  }
}
