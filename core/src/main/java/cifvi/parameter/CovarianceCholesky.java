package cifvi.parameter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * x, a lower triangular matrix with positive diagonal and at least as many rows as columns: the
 * Cholesky factor of a covariance matrix, of rank {@code columns}. The y are its entries row by
 * row, the diagonal as logarithms, so that log |det df/dy| is the sum of those.
 */
record CovarianceCholesky(int rows, int columns) implements Constraint {
  @Override
  public List<Integer> dimensions() {
    return List.of(rows, columns);
  }

  @Override
  public long unconstrained() {
    return columns * (columns + 1L) / 2 + (rows - columns) * (long) columns;
  }

  private int at(int i, int stride, int row, int column) {
    return i + (row + column * rows) * stride;
  }

  @Override
  public double constrain(double[] y, int j, double[] x, int i, int stride) {
    double logJacobian = 0;
    int next = j;
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        int at = at(i, stride, row, column);
        if (column < row) {
          x[at] = y[next++];
        } else if (column == row) {
          logJacobian += y[next];
          x[at] = Numerics.exp(y[next++]);
        } else {
          x[at] = 0;
        }
      }
    }
    return logJacobian;
  }

  @Override
  public void pullBack(
      double[] y, int j, double[] x, int i, int stride, double[] xGradient, double[] yGradient) {
    int next = j;
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < Math.min(row + 1, columns); column++) {
        int at = at(i, stride, row, column);
        yGradient[next] += column < row ? xGradient[at] : xGradient[at] * x[at] + 1;
        next++;
      }
    }
  }

  @Override
  public void unconstrain(double[] x, int i, int stride, double[] y, int j) {
    int next = j;
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < Math.min(row + 1, columns); column++) {
        double value = x[at(i, stride, row, column)];
        y[next++] = column < row ? value : Math.log(value);
      }
    }
  }

  @Override
  public @Nullable String violation(double[] x, int i, int stride) {
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        double value = x[at(i, stride, row, column)];
        String expected = expected(value, row, column);
        if (expected != null) {
          return "expected %s, got %s in row %d, column %d"
              .formatted(expected, value, row + 1, column + 1);
        }
      }
    }
    return null;
  }

  private static @Nullable String expected(double value, int row, int column) {
    if (column > row) {
      return value == 0 ? null : "0 above the diagonal";
    }
    if (column == row) {
      return value > 0 && value < Double.POSITIVE_INFINITY ? null : "a finite positive diagonal";
    }
    return Double.isFinite(value) ? null : "a finite number";
  }

  @Override
  public String stan() {
    return rows == columns
        ? "cholesky_factor_cov[" + rows + "]"
        : "cholesky_factor_cov[" + rows + ", " + columns + "]";
  }
}
