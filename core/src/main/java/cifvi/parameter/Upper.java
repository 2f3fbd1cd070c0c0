package cifvi.parameter;

/** x = bound - e^y; where e^y vanishes beside the bound, the double before. */
record Upper(double bound) implements ScalarConstraint {
  @Override
  public double value(double y) {
    return Math.min(bound - Numerics.exp(y), Math.nextDown(bound));
  }

  @Override
  public double slope(double y) {
    return -Numerics.exp(y);
  }

  @Override
  public double logSlope(double y) {
    return y;
  }

  @Override
  public double logSlopeGradient(double y) {
    return 1;
  }

  @Override
  public double inverse(double x) {
    return Math.log(bound - x);
  }

  @Override
  public boolean allows(double x) {
    return x < bound && x > Double.NEGATIVE_INFINITY;
  }

  @Override
  public String expected() {
    return "a finite number below " + bound;
  }

  @Override
  public String stan() {
    return "<upper=" + bound + ">";
  }
}
