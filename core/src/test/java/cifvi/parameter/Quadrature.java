package cifvi.parameter;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Integrals over R^d by the trapezoid rule on a lattice, of a density on the constrained space
 * times the Jacobian. For integrands that are analytic in a strip |Im y| &lt; a and vanish at the
 * ends the error falls as exp(-2 pi a / step): with a = pi / 2 and a step of 1/4 it is e^-39.
 */
record Quadrature(ParameterSpace space, ToDoubleFunction<double[]> logDensity, List<Axis> axes) {
  /** Points {@code from}, {@code from + step}, ... below {@code to}. */
  record Axis(double from, double to, double step) {
    int count() {
      return (int) Math.ceil((to - from) / step);
    }
  }

  /** The integral of the density first, then the means of the functions. */
  double[] means(List<ToDoubleFunction<double[]>> functions) {
    var sums = new double[functions.size() + 1];
    var y = new double[axes.size()];
    var x = new double[space.constrainedSize()];
    long points = axes.stream().mapToLong(Axis::count).reduce(1, Math::multiplyExact);
    for (long k = 0; k < points; k++) {
      place(k, y);
      double logJacobian = space.constrain(y, x);
      double mass = Math.exp(logDensity.applyAsDouble(x) + logJacobian);
      sums[0] += mass;
      for (int f = 0; f < functions.size(); f++) {
        sums[f + 1] += mass * functions.get(f).applyAsDouble(x);
      }
    }
    for (int f = 1; f < sums.length; f++) {
      sums[f] /= sums[0];
    }
    sums[0] *= axes.stream().mapToDouble(Axis::step).reduce(1, (a, b) -> a * b);
    return sums;
  }

  private void place(long point, double[] y) {
    long rest = point;
    for (int d = 0; d < y.length; d++) {
      Axis axis = axes.get(d);
      y[d] = axis.from() + rest % axis.count() * axis.step();
      rest /= axis.count();
    }
  }
}
