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

  /**
   * All that it is: what another machine has computed goes on here, to the last bit.
   *
   * @param sum Σ e^{x - max}
   * @param sumOfSquares Σ e^{2(x - max)}
   * @param total Σ x
   */
  public record State(long count, double max, double sum, double sumOfSquares, double total) {}

  public State state() {
    return new State(count, max, sum, sumOfSquares, total);
  }

  /** Adds the numbers of another one: the sums of both, brought to one maximum. */
  public void add(State other) {
    if (count == 0) {
      max = other.max;
      sum = other.sum;
      sumOfSquares = other.sumOfSquares;
    } else if (other.count > 0) {
      double highest = Math.max(max, other.max);
      double mine = scale(max, highest);
      double its = scale(other.max, highest);
      sum = sum * mine + other.sum * its;
      sumOfSquares = sumOfSquares * mine * mine + other.sumOfSquares * its * its;
      max = highest;
    }
    count += other.count;
    total += other.total;
  }

  /** e^{max - highest}, where both may be -∞. */
  private static double scale(double max, double highest) {
    return max == highest ? 1 : Math.exp(max - highest);
  }

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
    more.add(state());
    more.add(x);
    return more;
  }

  public long count() {
    return count;
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
