package cifvi.parameter;

/**
 * x = lower + (upper - lower) s with the logistic s = 1 / (1 + e^-y). It is measured from the
 * nearer bound, which keeps small distances to either; where rounding would reach a bound, x is the
 * next double inside.
 */
record Interval(double lower, double upper) implements ScalarConstraint {
  @Override
  public double value(double y) {
    double e = Numerics.exp(-Math.abs(y));
    double distance = (upper - lower) * (e / (1 + e));
    double inside = y < 0 ? lower + distance : upper - distance;
    return Math.clamp(inside, Math.nextUp(lower), Math.nextDown(upper));
  }

  /** (upper - lower) s (1 - s). */
  @Override
  public double slope(double y) {
    double e = Numerics.exp(-Math.abs(y));
    return (upper - lower) * (e / ((1 + e) * (1 + e)));
  }

  @Override
  public double logSlope(double y) {
    double a = Math.abs(y);
    return Math.log(upper - lower) - a - 2 * Math.log1p(Math.exp(-a));
  }

  /** 1 - 2 s. */
  @Override
  public double logSlopeGradient(double y) {
    return -Math.tanh(y / 2);
  }

  @Override
  public double inverse(double x) {
    return Math.log(x - lower) - Math.log(upper - x);
  }

  @Override
  public boolean allows(double x) {
    return x > lower && x < upper;
  }

  @Override
  public String expected() {
    return "a number between " + lower + " and " + upper;
  }

  @Override
  public String stan() {
    return "<lower=" + lower + ", upper=" + upper + ">";
  }
}
