package cifvi.diagnostics;

import java.util.Arrays;

/**
 * How far reweighting moves one number: the part of the error of q that importance sampling sees.
 * Both moments are of the number cut to the central 99 % of its draws, since a few draws in a tail
 * would decide them else.
 *
 * @param mean |E_w x - E_q x| / sd_w x
 * @param sd |sd_q x / sd_w x - 1|
 */
public record Shift(String name, double mean, double sd) {
  private static final double CUT = 0.005;

  static Shift of(String name, double[] x, double[] weights) {
    double[] sorted = Arrays.stream(x).sorted().toArray();
    double low = sorted[(int) (CUT * (x.length - 1))];
    double high = sorted[(int) ((1 - CUT) * (x.length - 1))];
    double[] cut = Arrays.stream(x).map(v -> Math.clamp(v, low, high)).toArray();
    double[] equal = new double[x.length];
    Arrays.fill(equal, 1.0 / x.length);
    double[] drawn = moments(cut, equal);
    double[] weighted = moments(cut, weights);
    if (weighted[1] == 0) {
      return new Shift(name, drawn[1] == 0 ? 0 : Double.MAX_VALUE, drawn[1] == 0 ? 0 : 1);
    }
    return new Shift(
        name, Math.abs(drawn[0] - weighted[0]) / weighted[1], Math.abs(drawn[1] / weighted[1] - 1));
  }

  /** Mean and standard deviation. */
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

  /** The larger of the two. */
  double most() {
    return Math.max(mean, sd);
  }
}
