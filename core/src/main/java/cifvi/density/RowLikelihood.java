package cifvi.density;

import cifvi.vi.Estimate;
import cifvi.vi.LogMeanExp;
import cifvi.vi.Moments;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * log r_X(x) of one row from S importance samples (eq. 21), in the units of the data.
 *
 * <p>The logarithm of an average is too small in the mean, by about c/S. The two halves of the
 * samples, too small by 2c/S each, show it: their mean less {@code value} estimates the bias, and 2
 * value - mean of halves has none of that order (the jackknife of two groups).
 *
 * @param value log 1/S Σ w
 * @param half the mean of the same from either half of the samples; the value itself where one
 *     sample is exact
 * @param elbo mean log-weight of the samples
 */
public record RowLikelihood(double value, double half, double elbo) {
  /** From the sums of both halves of the samples. */
  static RowLikelihood of(LogMeanExp first, LogMeanExp second) {
    double a = first.value();
    double b = second.value();
    double max = Math.max(a, b);
    double value = max + Math.log(0.5 * (Math.exp(a - max) + Math.exp(b - max)));
    return new RowLikelihood(value, 0.5 * (a + b), 0.5 * (first.mean() + second.mean()));
  }

  /** How much too small the value is by estimate, a number that is hardly ever positive. */
  public double bias() {
    return half - value;
  }

  /** The value without the bias of its first order. */
  public double jackknife() {
    return value - bias();
  }

  /** The mean of something over rows, with its error. */
  public static Estimate mean(List<RowLikelihood> rows, ToDoubleFunction<RowLikelihood> of) {
    var moments = new Moments();
    rows.forEach(row -> moments.add(of.applyAsDouble(row)));
    return moments.estimate();
  }
}
