package cifvi.diagnostics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How far one number moves between two ways of weighting draws: from q to p the part of the error
 * of q that importance sampling sees.
 *
 * @param mean |E_to x - E_from x| / sd_to x
 * @param sd |sd_from x / sd_to x - 1|
 * @param noise standard error of the larger one, were the two of draws that have nothing in common
 */
public record Shift(String name, double mean, double sd, double noise) {
  private static final double CUT = 0.005;

  /**
   * Moments with their standard errors, the latter in standard deviations and as a share of the
   * standard deviation.
   */
  record Moments(double mean, double sd, double meanError, double sdError) {
    /** Of numbers whose weights have the sum 1. */
    static Moments of(double[] x, double[] weights) {
      double[] moments = Shift.moments(x, weights);
      double mean = moments[0];
      double variance = moments[1] * moments[1];
      double ofMean = 0;
      double ofVariance = 0;
      for (int i = 0; i < x.length; i++) {
        double square = (x[i] - mean) * (x[i] - mean);
        ofMean += weights[i] * weights[i] * square;
        ofVariance += weights[i] * weights[i] * (square - variance) * (square - variance);
      }
      return new Moments(
          mean, moments[1], Math.sqrt(ofMean) / moments[1], Math.sqrt(ofVariance) / (2 * variance));
    }
  }

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

    Moments moments(double[] x, double[] weights) {
      return Moments.of(Arrays.stream(x).map(v -> Math.clamp(v, low, high)).toArray(), weights);
    }
  }

  /** Between two ways of weighting. */
  static Shift of(String name, Moments from, Moments to) {
    if (to.sd == 0) {
      return new Shift(name, from.sd == 0 ? 0 : Double.MAX_VALUE, from.sd == 0 ? 0 : 1, 0);
    }
    double mean = Math.abs(from.mean - to.mean) / to.sd;
    double sd = Math.abs(from.sd / to.sd - 1);
    double noise =
        mean > sd ? Math.hypot(from.meanError, to.meanError) : Math.hypot(from.sdError, to.sdError);
    return new Shift(name, mean, sd, noise);
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
    return largest(all, Shift::most);
  }

  /** The one by which two sets of draws are farthest apart, beyond twice their noise. */
  static @Nullable Shift farthest(List<Shift> all) {
    return largest(all, Shift::beyondNoise);
  }

  private static @Nullable Shift largest(List<Shift> all, ToDoubleFunction<Shift> size) {
    return all.stream()
        .filter(shift -> !Double.isNaN(shift.most()))
        .max(Comparator.comparingDouble(size))
        .orElse(null);
  }

  /** The larger of the two. */
  public double most() {
    return Math.max(mean, sd);
  }

  double beyondNoise() {
    return most() - 2 * noise;
  }
}
