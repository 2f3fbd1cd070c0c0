package cifvi.parameter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * x, a lower triangular matrix with positive diagonal and rows of length 1: the Cholesky factor of
 * a correlation matrix, from its canonical partial correlations tanh y, which are taken row by row.
 *
 * <p>In row i, x_ij = tanh(y_ij) r_ij, where r_ij = product over m &lt; j of 1 / cosh y_im is the
 * length that the entries before j leave, and x_ii = r_ii. So log |det df/dy| = sum over j &lt; i
 * of log r_ij - 2 log cosh y_ij. Logarithms of lengths are summed: Stan's 1 - sum of squares would
 * be 0 from |y| = 19 on. A diagonal entry below the smallest normal double is put on it.
 */
record CorrelationCholesky(int size) implements Constraint {
  @Override
  public List<Integer> dimensions() {
    return List.of(size, size);
  }

  @Override
  public long unconstrained() {
    return size * (size - 1L) / 2;
  }

  private int at(int i, int stride, int row, int column) {
    return i + (row + column * size) * stride;
  }

  @Override
  public double constrain(double[] y, int j, double[] x, int i, int stride) {
    double logJacobian = 0;
    int next = j;
    for (int row = 0; row < size; row++) {
      double logRest = 0;
      for (int column = 0; column < row; column++) {
        double logCosh = Numerics.logCosh(y[next]);
        x[at(i, stride, row, column)] = Math.tanh(y[next]) * Math.exp(logRest);
        logJacobian += logRest - 2 * logCosh;
        logRest -= logCosh;
        next++;
      }
      x[at(i, stride, row, row)] = Numerics.exp(logRest);
      for (int column = row + 1; column < size; column++) {
        x[at(i, stride, row, column)] = 0;
      }
    }
    return logJacobian;
  }

  /**
   * Backwards through each row: y_ij turns x_ij, and shortens all that come after it, the diagonal
   * included, by tanh y_ij; of log-lengths, there are row - column + 1 that it takes part in.
   */
  @Override
  public void pullBack(
      double[] y, int j, double[] x, int i, int stride, double[] xGradient, double[] yGradient) {
    int first = j;
    for (int row = 0; row < size; row++) {
      double logRest = 0;
      for (int column = 0; column < row; column++) {
        logRest -= Numerics.logCosh(y[first + column]);
      }
      double later = product(x, xGradient, at(i, stride, row, row));
      for (int column = row - 1; column >= 0; column--) {
        int at = at(i, stride, row, column);
        double logCosh = Numerics.logCosh(y[first + column]);
        logRest += logCosh;
        double turn = xGradient[at] * Math.exp(logRest - 2 * logCosh);
        double shorten = later + (row - column + 1);
        yGradient[first + column] += turn - Math.tanh(y[first + column]) * shorten;
        later += product(x, xGradient, at);
      }
      first += row;
    }
  }

  private static double product(double[] a, double[] b, int at) {
    return a[at] * b[at];
  }

  /** x_ij / r_{i,j+1} = sinh y_ij, with lengths from the diagonal on, where nothing cancels. */
  @Override
  public void unconstrain(double[] x, int i, int stride, double[] y, int j) {
    int first = j;
    for (int row = 0; row < size; row++) {
      double rest = x[at(i, stride, row, row)];
      for (int column = row - 1; column >= 0; column--) {
        double value = x[at(i, stride, row, column)];
        y[first + column] = Numerics.asinh(value / rest);
        rest = Math.hypot(rest, value);
      }
      first += row;
    }
  }

  @Override
  public @Nullable String violation(double[] x, int i, int stride) {
    for (int row = 0; row < size; row++) {
      double diagonal = x[at(i, stride, row, row)];
      if (!(diagonal > 0)) {
        return "expected a positive diagonal, got %s in row %d".formatted(diagonal, row + 1);
      }
      double squares = 0;
      for (int column = 0; column < size; column++) {
        double value = x[at(i, stride, row, column)];
        if (column > row && value != 0) {
          return "expected 0 above the diagonal, got %s in row %d".formatted(value, row + 1);
        }
        squares += value * value;
      }
      if (!(Math.abs(1 - squares) <= Numerics.TOLERANCE)) {
        return "expected rows of length 1, got the length %s in row %d"
            .formatted(Math.sqrt(squares), row + 1);
      }
    }
    return null;
  }

  @Override
  public String stan() {
    return "cholesky_factor_corr[" + size + "]";
  }
}
