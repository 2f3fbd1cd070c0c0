package cifvi.diagnostics;

import cifvi.vi.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws beside reference draws.
 *
 * @param draws how many reference draws there were
 * @param margins of the numbers that both have
 * @param eubo E[log p(z) + log r(u|z) - log q(z, u)] over reference z and u ~ r(·|z), an upper
 *     bound of the log evidence as the ELBO is a lower one; null where the reference does not have
 *     all parameters, or values that they cannot have
 * @param euboError its standard error
 * @param note why there is no upper bound
 */
public record Comparison(
    int draws,
    List<Margin> margins,
    @Nullable Double eubo,
    @Nullable Double euboError,
    @Nullable String note) {
  public Comparison {
    margins = List.copyOf(margins);
  }

  /**
   * Errors of one number in units of the reference's standard deviation.
   *
   * @param mean of the mean
   * @param sd of the standard deviation
   * @param wasserstein ∫ |F⁻¹ - F_ref⁻¹|
   * @param weightedMean of the mean with the smoothed importance weights
   * @param weightedSd of the standard deviation with them
   */
  public record Margin(
      String name,
      double mean,
      double sd,
      double wasserstein,
      double weightedMean,
      double weightedSd) {}

  static Comparison of(
      List<String> names,
      double[][] columns,
      double[] weights,
      ReferenceDraws reference,
      @Nullable Estimate eubo,
      @Nullable String note) {
    double[] equal = new double[weights.length];
    Arrays.fill(equal, 1.0 / equal.length);
    var margins = new ArrayList<Margin>();
    for (int i = 0; i < names.size(); i++) {
      int at = reference.names().indexOf(names.get(i));
      if (at >= 0) {
        margins.add(margin(names.get(i), columns[i], equal, weights, reference.columns()[at]));
      }
    }
    return new Comparison(
        reference.size(),
        margins,
        eubo == null ? null : eubo.mean(),
        eubo == null ? null : eubo.standardError(),
        note);
  }

  private static Margin margin(
      String name, double[] x, double[] equal, double[] weights, double[] reference) {
    double[] each = new double[reference.length];
    Arrays.fill(each, 1.0 / each.length);
    double[] truth = Shift.moments(reference, each);
    double[] drawn = Shift.moments(x, equal);
    double[] weighted = Shift.moments(x, weights);
    double unit = truth[1];
    return new Margin(
        name,
        (drawn[0] - truth[0]) / unit,
        (drawn[1] - truth[1]) / unit,
        wasserstein(x, reference) / unit,
        (weighted[0] - truth[0]) / unit,
        (weighted[1] - truth[1]) / unit);
  }

  /** Both quantile functions are steps; they are compared between all points where one jumps. */
  static double wasserstein(double[] a, double[] b) {
    double[] x = Arrays.stream(a).sorted().toArray();
    double[] y = Arrays.stream(b).sorted().toArray();
    double sum = 0;
    double from = 0;
    int i = 0;
    int j = 0;
    while (i < x.length && j < y.length) {
      double nextX = (i + 1.0) / x.length;
      double nextY = (j + 1.0) / y.length;
      double to = Math.min(nextX, nextY);
      sum += (to - from) * Math.abs(x[i] - y[j]);
      from = to;
      i += nextX <= to ? 1 : 0;
      j += nextY <= to ? 1 : 0;
    }
    return sum;
  }

  /** The number with the largest error of its weighted mean or standard deviation. */
  @Nullable Margin worstWeighted() {
    return margins.stream()
        .max(
            Comparator.comparingDouble(
                m -> Math.max(Math.abs(m.weightedMean()), Math.abs(m.weightedSd()))))
        .orElse(null);
  }
}
