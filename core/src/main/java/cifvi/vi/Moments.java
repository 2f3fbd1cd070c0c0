package cifvi.vi;

/** Running mean and variance (Welford), in double precision. */
public final class Moments {
  private long count;
  private double mean;
  private double squares;

  public void add(double value) {
    count++;
    double before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
  }

  public long count() {
    return count;
  }

  public double mean() {
    return mean;
  }

  /** Standard deviation with n in the denominator, as in Table 6. */
  public double populationStd() {
    return Math.sqrt(squares / count);
  }

  /** Mean with standard error s/√n, s having n - 1 in the denominator. */
  public Estimate estimate() {
    double error = count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1) / count);
    return new Estimate(mean, error, count);
  }
}
