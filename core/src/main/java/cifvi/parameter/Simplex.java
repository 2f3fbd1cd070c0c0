package cifvi.parameter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * x = softmax(z), positive with sum 1, where z sums to 0: the inverse isometric log-ratio of the
 * size - 1 numbers y, which Stan has used since 2.37 (before, it broke a stick).
 *
 * <p>With w_n = y_n / sqrt(n (n + 1)), z_1 = sum over all n of w_n, and z_{n+1} = sum over m &gt; n
 * of w_m, less n w_n. The columns of this map are orthonormal, and log |det df/dy| = sum of log x +
 * log(size) / 2 in any size - 1 of the coordinates. Shares below the smallest normal double are put
 * on it.
 */
record Simplex(int size) implements Constraint {
  @Override
  public List<Integer> dimensions() {
    return List.of(size);
  }

  @Override
  public long unconstrained() {
    return size - 1L;
  }

  @Override
  public double constrain(double[] y, int j, double[] x, int i, int stride) {
    double largest = sumToZero(y, j, x, i, stride);
    double sum = 0;
    for (int k = 0; k < size; k++) {
      int at = i + k * stride;
      x[at] = Math.exp(x[at] - largest);
      sum += x[at];
    }
    for (int k = 0; k < size; k++) {
      int at = i + k * stride;
      x[at] = Math.max(x[at] / sum, Double.MIN_NORMAL);
    }
    return 0.5 * Math.log(size) - size * (largest + Math.log(sum));
  }

  /** Writes z, and returns the largest of its numbers. */
  private double sumToZero(double[] y, int j, double[] z, int i, int stride) {
    double later = 0;
    double largest = Double.NEGATIVE_INFINITY;
    for (int n = size - 1; n > 0; n--) {
      double w = weight(n) * y[j + n - 1];
      z[i + n * stride] = later - n * w;
      largest = Math.max(largest, z[i + n * stride]);
      later += w;
    }
    z[i] = later;
    return Math.max(largest, later);
  }

  private static double weight(int n) {
    return 1 / Math.sqrt(n * (n + 1.0));
  }

  /** dL/dz_k = x_k (dL/dx_k - mean), and z_1 to z_n rise with w_n while z_{n+1} falls n times. */
  @Override
  public void pullBack(
      double[] y, int j, double[] x, int i, int stride, double[] xGradient, double[] yGradient) {
    double mean = 0;
    for (int k = 0; k < size; k++) {
      int at = i + k * stride;
      mean += x[at] * xGradient[at];
    }
    double earlier = x[i] * (xGradient[i] - mean - size);
    for (int n = 1; n < size; n++) {
      int at = i + n * stride;
      double z = x[at] * (xGradient[at] - mean - size);
      yGradient[j + n - 1] += weight(n) * (earlier - n * z);
      earlier += z;
    }
  }

  /** y_n is the product of log x with column n of the orthonormal map. */
  @Override
  public void unconstrain(double[] x, int i, int stride, double[] y, int j) {
    double earlier = Math.log(x[i]);
    for (int n = 1; n < size; n++) {
      double z = Math.log(x[i + n * stride]);
      y[j + n - 1] = weight(n) * (earlier - n * z);
      earlier += z;
    }
  }

  @Override
  public @Nullable String violation(double[] x, int i, int stride) {
    double sum = 0;
    boolean positive = true;
    for (int k = 0; k < size; k++) {
      positive &= x[i + k * stride] > 0;
      sum += x[i + k * stride];
    }
    return positive && Math.abs(1 - sum) <= Numerics.TOLERANCE
        ? null
        : "expected positive numbers with the sum 1, got %s with the sum %s"
            .formatted(Numerics.text(x, i, stride, size), sum);
  }

  @Override
  public String stan() {
    return "simplex[" + size + "]";
  }
}
