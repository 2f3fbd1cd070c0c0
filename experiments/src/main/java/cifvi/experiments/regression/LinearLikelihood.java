package cifvi.experiments.regression;

import cifvi.experiments.target.Normals;

/**
 * y_i ~ N(α + x_i β, σ²) for standardised x and y, from sums over the rows alone: a call costs the
 * square of the columns, however many rows there were.
 */
final class LinearLikelihood implements Likelihood {
  private final int rows;
  private final int columns;
  private final double[] xx; // Xᵀ X
  private final double[] xy; // Xᵀ y
  private final double yy;

  LinearLikelihood(double[][] x, double[] y) {
    rows = y.length;
    columns = x.length;
    xx = new double[columns * columns];
    xy = new double[columns];
    yy = dot(y, y);
    for (int j = 0; j < columns; j++) {
      xy[j] = dot(x[j], y);
      for (int k = 0; k <= j; k++) {
        double product = dot(x[j], x[k]);
        xx[j * columns + k] = product;
        xx[k * columns + j] = product;
      }
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  @Override
  public double at(double[] w, double[] gradient) {
    double logSigma = w[1 + columns];
    double precision = Math.exp(-2 * logSigma);
    double squares = yy + rows * w[0] * w[0];
    gradient[0] -= precision * rows * w[0];
    for (int j = 0; j < columns; j++) {
      double fitted = 0;
      for (int k = 0; k < columns; k++) {
        fitted += xx[j * columns + k] * w[1 + k];
      }
      squares += w[1 + j] * (fitted - 2 * xy[j]);
      gradient[1 + j] += precision * (xy[j] - fitted);
    }
    squares = Math.max(squares, 0); // where rounding leaves less than nothing
    gradient[1 + columns] += precision * squares - rows;
    return -0.5 * precision * squares - rows * (logSigma + Normals.HALF_LOG_2_PI);
  }

  /** What least squares leave of the variance of y, up to rounding. */
  double unexplained() {
    double[] start = new double[1 + columns];
    LinearLikelihood self = this;
    Mode best =
        Mode.of(
            (w, gradient) -> {
              double[] full = new double[2 + columns];
              double[] slope = new double[2 + columns];
              System.arraycopy(w, 0, full, 0, w.length);
              double value = self.at(full, slope);
              for (int c = 0; c < w.length; c++) { // a ridge that no rounding hides
                gradient[c] = slope[c] - 1e-12 * rows * w[c];
                value -= 0.5e-12 * rows * w[c] * w[c];
              }
              return value;
            },
            start);
    double[] full = new double[2 + columns];
    System.arraycopy(best.at(), 0, full, 0, 1 + columns);
    double squares = -2 * (at(full, new double[2 + columns]) + rows * Normals.HALF_LOG_2_PI);
    return squares / yy;
  }
}
