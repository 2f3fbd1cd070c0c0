package cifvi.diagnostics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far one number moves between two ways of weighting draws: from q to p the part of the error
 * of q that importance sampling sees.
 *
 * @param mean |E_to x - E_from x| / sd_to x
 * @param sd |sd_from x / sd_to x - 1|
 */
public record Shift(String name, double mean, double sd) {
  private static final double CUT = 0.005;

  /**
   * The central 99 % of the draws of a number, to which it is cut before its moments are taken,
   * since a few draws in a tail would decide them else.
   */
  record Range(double low, double high) {
    static Range of(double[] x) {
      double[] sorted = Arrays.stream(x).sorted().toArray();
      return new Range(
          sorted[(int) (CUT * (x.length - 1))], sorted[(int) ((1 - CUT) * (x.length - 1))]);
    }

    double[] moments(double[] x, double[] weights) {
      return Shift.moments(Arrays.stream(x).map(v -> Math.clamp(v, low, high)).toArray(), weights);
    }
  }

  /** Between two pairs of {@link Range#moments}. */
  static Shift of(String name, double[] from, double[] to) {
    if (to[1] == 0) {
      return new Shift(name, from[1] == 0 ? 0 : Double.MAX_VALUE, from[1] == 0 ? 0 : 1);
    }
    return new Shift(name, Math.abs(from[0] - to[0]) / to[1], Math.abs(from[1] / to[1] - 1));
  }

  /** Mean and standard deviation; weights have the sum 1. */
  static double[] moments(double[] x, double[] weights) {
    double mean = 0;
    for (int i = 0; i < x.length; i++) {
      mean += weights[i] * x[i];
    }
    double square = 0;
    for (int i = 0; i < x.length; i++) {
      square += weights[i] * (x[i] - mean) * (x[i] - mean);
    }
    return new double[] {mean, Math.sqrt(square)};
  }

  /** The largest; those of numbers that far out are none are left out. */
  static @Nullable Shift largest(List<Shift> all) {
    return all.stream()
        .filter(shift -> !Double.isNaN(shift.most()))
        .max(Comparator.comparingDouble(Shift::most))
        .orElse(null);
  }

  /** The larger of the two. */
  public double most() {
    return Math.max(mean, sd);
  }
}
