package cifvi.experiments.regression;

import cifvi.LogDensity;

/**
 * The highest point of a log-density with one peak, and its curvature there: Newton's method, with
 * second derivatives by differences of the gradient.
 *
 * @param at where it is
 * @param factor F with F Fᵀ = the inverse of the negative second derivatives, row-major, upper
 *     triangular: the standard deviations of a normal of the same curvature
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Mode(double[] at, double[] factor) {
  private static final int ITERATIONS = 50;
  private static final double STEP = 1e-5;
  private static final double CLOSE = 1e-8; // in nats

  static Mode of(LogDensity.Function f, double[] start) {
    int d = start.length;
    double[] x = start.clone();
    double[] g = new double[d];
    double value = f.at(x, g);
    for (int i = 0; i < ITERATIONS; i++) {
      double[] l = cholesky(curvature(f, x, g));
      double[] step = backward(l, forward(l, g));
      double gain = 0;
      for (int c = 0; c < d; c++) {
        gain += step[c] * g[c];
      }
      if (gain < CLOSE) {
        break;
      }
      double length = 1;
      double[] tried = new double[d];
      double[] slope = new double[d];
      double there = Double.NaN;
      for (; length > 1e-10; length /= 2) {
        for (int c = 0; c < d; c++) {
          tried[c] = x[c] + length * step[c];
        }
        there = f.at(tried, slope);
        if (there > value + 1e-4 * length * gain) {
          break;
        }
      }
      if (!(there > value)) {
        break;
      }
      x = tried;
      g = slope;
      value = there;
    }
    return new Mode(x, inverseTransposed(cholesky(curvature(f, x, g))));
  }

  /** The negative second derivatives. */
  private static double[] curvature(LogDensity.Function f, double[] x, double[] g) {
    int d = x.length;
    double[] h = new double[d * d];
    double[] slope = new double[d];
    for (int j = 0; j < d; j++) {
      double[] moved = x.clone();
      moved[j] += STEP;
      f.at(moved, slope);
      for (int i = 0; i < d; i++) {
        h[i * d + j] -= 0.5 * (slope[i] - g[i]) / STEP;
        h[j * d + i] -= 0.5 * (slope[i] - g[i]) / STEP;
      }
    }
    return h;
  }

  /** Lower L with L Lᵀ = h + λI, with the least λ of 0 and powers of ten that allows it. */
  private static double[] cholesky(double[] h) {
    int d = (int) Math.round(Math.sqrt(h.length));
    for (double ridge = 0; ; ridge = ridge == 0 ? 1e-6 : 10 * ridge) {
      double[] l = new double[h.length];
      boolean positive = true;
      for (int j = 0; j < d && positive; j++) {
        for (int i = j; i < d; i++) {
          double sum = h[i * d + j] + (i == j ? ridge : 0);
          for (int k = 0; k < j; k++) {
            sum -= l[i * d + k] * l[j * d + k];
          }
          if (i == j) {
            positive = sum > 0;
            l[j * d + j] = Math.sqrt(sum);
          } else {
            l[i * d + j] = sum / l[j * d + j];
          }
        }
      }
      if (positive) {
        return l;
      }
      if (ridge > 1e300) {
        throw new ArithmeticException("second derivatives that are no numbers");
      }
    }
  }

  /** y with L y = b. */
  private static double[] forward(double[] l, double[] b) {
    int d = b.length;
    double[] y = b.clone();
    for (int i = 0; i < d; i++) {
      for (int k = 0; k < i; k++) {
        y[i] -= l[i * d + k] * y[k];
      }
      y[i] /= l[i * d + i];
    }
    return y;
  }

  /** x with Lᵀ x = y. */
  private static double[] backward(double[] l, double[] y) {
    int d = y.length;
    double[] x = y.clone();
    for (int i = d - 1; i >= 0; i--) {
      for (int k = i + 1; k < d; k++) {
        x[i] -= l[k * d + i] * x[k];
      }
      x[i] /= l[i * d + i];
    }
    return x;
  }

  private static double[] inverseTransposed(double[] l) {
    int d = (int) Math.round(Math.sqrt(l.length));
    double[] inverse = new double[l.length];
    for (int j = 0; j < d; j++) {
      double[] unit = new double[d];
      unit[j] = 1;
      double[] column = backward(l, unit);
      for (int i = 0; i < d; i++) {
        inverse[i * d + j] = column[i];
      }
    }
    return inverse;
  }
}
