package cifvi.parameter;

/** x = bound + e^y; where e^y vanishes beside the bound, the next double. */
record Lower(double bound) implements ScalarConstraint {
  @Override
  public double value(double y) {
    return Math.max(bound + Numerics.exp(y), Math.nextUp(bound));
  }

  @Override
  public double slope(double y) {
    return Numerics.exp(y);
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
    return Math.log(x - bound);
  }

  @Override
  public boolean allows(double x) {
    return x > bound && x < Double.POSITIVE_INFINITY;
  }

  @Override
  public String expected() {
    return "a finite number above " + bound;
  }

  @Override
  public String stan() {
    return "<lower=" + bound + ">";
  }
}
