package cifvi.parameter;

/** x = y. */
record Unbounded() implements ScalarConstraint {
  @Override
  public double value(double y) {
    return y;
  }

  @Override
  public double slope(double y) {
    return 1;
  }

  @Override
  public double logSlope(double y) {
    return 0;
  }

  @Override
  public double logSlopeGradient(double y) {
    return 0;
  }

  @Override
  public double inverse(double x) {
    return x;
  }

  @Override
  public boolean allows(double x) {
    return Double.isFinite(x);
  }

  @Override
  public String expected() {
    return "a finite number";
  }

  @Override
  public String stan() {
    return "";
  }
}
