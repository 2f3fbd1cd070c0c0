package cifvi.parameter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An increasing or decreasing map of one number, which vectors and matrices use for each. */
sealed interface ScalarConstraint extends Constraint permits Unbounded, Lower, Upper, Interval {
  /** x = f(y). */
  double value(double y);

  /** dx/dy. */
  double slope(double y);

  /** log |dx/dy|. */
  double logSlope(double y);

  /** The derivative of {@link #logSlope}. */
  double logSlopeGradient(double y);

  /** The y with f(y) = x. */
  double inverse(double x);

  boolean allows(double x);

  /** What x must be, as in "a number above 0". */
  String expected();

  @Override
  default List<Integer> dimensions() {
    return List.of();
  }

  @Override
  default long unconstrained() {
    return 1;
  }

  @Override
  default double constrain(double[] y, int j, double[] x, int i, int stride) {
    x[i] = value(y[j]);
    return logSlope(y[j]);
  }

  @Override
  default void pullBack(
      double[] y, int j, double[] x, int i, int stride, double[] xGradient, double[] yGradient) {
    yGradient[j] += xGradient[i] * slope(y[j]) + logSlopeGradient(y[j]);
  }

  @Override
  default void unconstrain(double[] x, int i, int stride, double[] y, int j) {
    y[j] = inverse(x[i]);
  }

  @Override
  default @Nullable String violation(double[] x, int i, int stride) {
    return allows(x[i]) ? null : "expected " + expected() + ", got " + x[i];
  }
}
