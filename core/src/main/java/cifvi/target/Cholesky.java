package cifvi.target;

import java.util.Arrays;

/**
 * The inverse of the Cholesky factor of a small covariance matrix: A with A Σ Aᵀ = I, lower
 * triangular.
 */
final class Cholesky {
  private Cholesky() {}

  static double[][] inverseFactor(String name, double[][] covariance, int d) {
    double[][] factor = factor(name, covariance, d);
    double[][] inverse = new double[d][d];
    for (int column = 0; column < d; column++) {
      for (int i = column; i < d; i++) {
        double sum = i == column ? 1 : 0;
        for (int j = column; j < i; j++) {
          sum -= factor[i][j] * inverse[j][column];
        }
        inverse[i][column] = sum / factor[i][i];
      }
    }
    return inverse;
  }

  private static double[][] factor(String name, double[][] covariance, int d) {
    boolean square =
        covariance.length == d && Arrays.stream(covariance).allMatch(row -> row.length == d);
    if (!square) {
      throw new IllegalArgumentException(
          name
              + ": expected a "
              + d
              + " x "
              + d
              + " matrix, got "
              + Arrays.deepToString(covariance));
    }
    double[][] factor = new double[d][d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        if (covariance[i][j] != covariance[j][i]) {
          throw new IllegalArgumentException(
              name + ": expected a symmetric matrix, got " + Arrays.deepToString(covariance));
        }
        double sum = covariance[i][j];
        for (int k = 0; k < j; k++) {
          sum -= factor[i][k] * factor[j][k];
        }
        if (i == j && !(sum > 0)) {
          throw new IllegalArgumentException(
              name
                  + ": expected a positive definite matrix, got "
                  + Arrays.deepToString(covariance));
        }
        factor[i][j] = i == j ? Math.sqrt(sum) : sum / factor[j][j];
      }
    }
    return factor;
  }
}
