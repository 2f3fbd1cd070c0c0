package cifvi.vi;

/**
 * Running log 1/n Σ e^{x_i} that neither overflows nor loses small terms, with its standard error.
 */
public final class LogMeanExp {
  private long count;
  private double max = Double.NEGATIVE_INFINITY;
  private double sum; // Σ e^{x - max}
  private double sumOfSquares; // Σ e^{2(x - max)}
  private double total; // Σ x

  /** Of no numbers yet. */
  public LogMeanExp() {}

  public void add(double x) {
    count++;
    total += x;
    if (x > max) {
      double shrink = Math.exp(max - x);
      sum *= shrink;
      sumOfSquares *= shrink * shrink;
      max = x;
    }
    if (x != Double.NEGATIVE_INFINITY) { // NaN goes on into the sum
      double e = Math.exp(x - max);
      sum += e;
      sumOfSquares += e * e;
    }
  }

  /** The same with one number more; this one stays as it is. */
  LogMeanExp and(double x) {
    var more = new LogMeanExp();
    more.count = count;
    more.max = max;
    more.sum = sum;
    more.sumOfSquares = sumOfSquares;
    more.total = total;
    more.add(x);
    return more;
  }

  public double value() {
    return max + Math.log(sum / count);
  }

  /** 1/n Σ x_i, which Jensen's inequality keeps below {@link #value}. */
  public double mean() {
    return total / count;
  }

  /** Value with the delta-method standard error sd(w) / (√n mean(w)). */
  public Estimate estimate() {
    double mean = sum / count;
    double variance = (sumOfSquares - count * mean * mean) / (count - 1);
    double error = count < 2 ? Double.NaN : Math.sqrt(Math.max(0, variance) / count) / mean;
    return new Estimate(value(), error, count);
  }
}
