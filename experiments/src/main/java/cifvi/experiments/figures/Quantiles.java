package cifvi.experiments.figures;

import java.util.Arrays;

/** Quantiles with linear interpolation between the sorted values, as numpy has them. */
public final class Quantiles {
  private Quantiles() {}

  /** The {@code p}-quantile of the finite values; NaN where there are none. */
  public static double of(double[] values, double p) {
    double[] sorted = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double position = p * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
