package cifvi.parameter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * x = y / |y|, and -|y|^2 / 2 in place of a log-Jacobian, which this map has not: it forgets the
 * length r of y. The volume element is r^(n-1) dr times that of the sphere, hence a density p(x)
 * exp(-r^2 / 2) in y has the margin p(x) on the sphere, up to the constant (2 pi)^(n/2) / area,
 * which Stan leaves out. x is undefined at y = 0.
 */
record UnitVector(int size) implements Constraint {
  @Override
  public List<Integer> dimensions() {
    return List.of(size);
  }

  @Override
  public long unconstrained() {
    return size;
  }

  @Override
  public double constrain(double[] y, int j, double[] x, int i, int stride) {
    double length = length(y, j, 1);
    if (length == 0) {
      throw new ArithmeticException("a unit vector is undefined at y = 0; begin at another point");
    }
    for (int k = 0; k < size; k++) {
      x[i + k * stride] = y[j + k] / length;
    }
    return -0.5 * length * length;
  }

  /** The Euclidean length, scaled by the largest number against underflow and overflow. */
  private double length(double[] v, int i, int stride) {
    double largest = 0;
    for (int k = 0; k < size; k++) {
      largest = Math.max(largest, Math.abs(v[i + k * stride]));
    }
    if (largest == 0) {
      return 0;
    }
    double sum = 0;
    for (int k = 0; k < size; k++) {
      double scaled = v[i + k * stride] / largest;
      sum += scaled * scaled;
    }
    return largest * Math.sqrt(sum);
  }

  /** What of the gradient is tangent to the sphere, divided by the length of y. */
  @Override
  public void pullBack(
      double[] y, int j, double[] x, int i, int stride, double[] xGradient, double[] yGradient) {
    double radial = 0;
    for (int k = 0; k < size; k++) {
      radial += x[i + k * stride] * xGradient[i + k * stride];
    }
    double length = length(y, j, 1);
    for (int k = 0; k < size; k++) {
      int at = i + k * stride;
      yGradient[j + k] += (xGradient[at] - radial * x[at]) / length - y[j + k];
    }
  }

  /** The y of length 1. */
  @Override
  public void unconstrain(double[] x, int i, int stride, double[] y, int j) {
    for (int k = 0; k < size; k++) {
      y[j + k] = x[i + k * stride];
    }
  }

  @Override
  public @Nullable String violation(double[] x, int i, int stride) {
    double length = length(x, i, stride);
    return Math.abs(1 - length * length) <= Numerics.TOLERANCE
        ? null
        : "expected a vector of length 1, got %s of length %s"
            .formatted(Numerics.text(x, i, stride, size), length);
  }

  @Override
  public String stan() {
    return "unit_vector[" + size + "]";
  }
}
