package cifvi.vi;

/** Running mean and variance (Welford), in double precision. */
public final class Moments {
  private long count;
  private double mean;
  private double squares;

  /** Of no numbers yet. */
  public Moments() {}

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

  /** With n - 1 in the denominator; NaN for a single value. */
  public double variance() {
    return count < 2 ? Double.NaN : squares / (count - 1);
  }

  /** Mean with standard error s/√n, s having n - 1 in the denominator. */
  public Estimate estimate() {
    return new Estimate(mean, Math.sqrt(variance() / count), count);
  }
}
