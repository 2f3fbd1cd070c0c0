package cifvi.parameter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * x_k = x_{k-1} + e^{y_k}, so that log |det df/dy| is the sum of y; the first is y_1 itself and
 * takes no part in the sum unless all are to be {@code positive}, when x_1 = e^{y_1}. Where a step
 * vanishes beside x, the next double is taken.
 */
record Ordered(int size, boolean positive) implements Constraint {
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
    double value = positive ? Numerics.exp(y[j]) : y[j];
    double logJacobian = positive ? y[j] : 0;
    x[i] = value;
    for (int k = 1; k < size; k++) {
      value = Math.max(value + Numerics.exp(y[j + k]), Math.nextUp(value));
      x[i + k * stride] = value;
      logJacobian += y[j + k];
    }
    return logJacobian;
  }

  /** A step moves its number and all later ones. */
  @Override
  public void pullBack(
      double[] y, int j, double[] x, int i, int stride, double[] xGradient, double[] yGradient) {
    double later = 0;
    for (int k = size - 1; k > 0; k--) {
      later += xGradient[i + k * stride];
      yGradient[j + k] += later * Numerics.exp(y[j + k]) + 1;
    }
    later += xGradient[i];
    yGradient[j] += positive ? later * Numerics.exp(y[j]) + 1 : later;
  }

  @Override
  public void unconstrain(double[] x, int i, int stride, double[] y, int j) {
    y[j] = positive ? Math.log(x[i]) : x[i];
    for (int k = 1; k < size; k++) {
      y[j + k] = Math.log(x[i + k * stride] - x[i + (k - 1) * stride]);
    }
  }

  @Override
  public @Nullable String violation(double[] x, int i, int stride) {
    double before = positive ? 0 : Double.NEGATIVE_INFINITY;
    boolean increasing = true;
    for (int k = 0; k < size; k++) {
      increasing &= x[i + k * stride] > before;
      before = x[i + k * stride];
    }
    return increasing && before < Double.POSITIVE_INFINITY
        ? null
        : "expected increasing finite%s numbers, got %s"
            .formatted(positive ? " positive" : "", Numerics.text(x, i, stride, size));
  }

  @Override
  public String stan() {
    return (positive ? "positive_ordered[" : "ordered[") + size + "]";
  }
}
