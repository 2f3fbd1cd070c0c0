package cifvi.start.internal;

import java.util.Arrays;

/**
 * Coordinates v in which a density is about as wide as a standard normal: z = c + F v. It is fixed
 * while a family is trained, and in double precision, so that kernels in float32 see numbers of
 * ordinary size whatever the units of the density are.
 *
 * @param centre c
 * @param factor F, row-major
 * @param logDet log|det F|
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Frame(double[] centre, double[] factor, double logDet) {
  /** Around a point, with the same scale in every dimension. */
  public static Frame around(double[] point, double scale) {
    int d = point.length;
    double[] factor = new double[d * d];
    for (int i = 0; i < d; i++) {
      factor[i * d + i] = scale;
    }
    return new Frame(point.clone(), factor, d * Math.log(scale));
  }

  /** Around a point, with the triangular F that somebody gave. */
  public static Frame triangular(double[] point, double[] factor) {
    int d = point.length;
    if (factor.length != d * d) {
      throw new IllegalArgumentException(
          "initialFactor: expected %d rows of %d numbers, got %d in all"
              .formatted(d, d, factor.length));
    }
    boolean lower = false;
    boolean upper = false;
    double logDet = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        double f = factor[i * d + j];
        if (!Double.isFinite(f) || (i == j && f <= 0)) {
          throw new IllegalArgumentException(
              "initialFactor: expected finite numbers and a positive diagonal, got %s in row %d, column %d"
                  .formatted(f, i + 1, j + 1));
        }
        lower |= i > j && f != 0;
        upper |= i < j && f != 0;
      }
      logDet += Math.log(factor[i * d + i]);
    }
    if (lower && upper) {
      throw new IllegalArgumentException(
          "initialFactor: expected a triangular matrix; take the Cholesky factor of the covariance");
    }
    return new Frame(point.clone(), factor.clone(), logDet);
  }

  /** The same around another point. */
  public Frame at(double[] point) {
    return new Frame(point, factor, logDet);
  }

  public int dimensions() {
    return centre.length;
  }

  /** c + F v for row {@code row} of v. */
  public double[] toZ(double[] v, int row) {
    double[] z = centre.clone();
    int d = z.length;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        z[i] += factor[i * d + j] * v[row * d + j];
      }
    }
    return z;
  }

  /** c + F v for all rows of v. */
  public double[] toZ(double[] v) {
    int d = centre.length;
    double[] z = new double[v.length];
    for (int row = 0; row < v.length / d; row++) {
      System.arraycopy(toZ(v, row), 0, z, row * d, d);
    }
    return z;
  }

  /** Writes Fᵀ g to row {@code row} of {@code out}. */
  public void pullBack(double[] g, double[] out, int row) {
    int d = g.length;
    Arrays.fill(out, row * d, (row + 1) * d, 0);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        out[row * d + j] += factor[i * d + j] * g[i];
      }
    }
  }

  /** z to v in place of v to z, by Gauss and Jordan with pivots. */
  public Frame inverse() {
    int d = centre.length;
    double[] a = factor.clone();
    double[] inverse = around(new double[d], 1).factor;
    for (int c = 0; c < d; c++) {
      int pivot = c;
      for (int i = c + 1; i < d; i++) {
        pivot = Math.abs(a[i * d + c]) > Math.abs(a[pivot * d + c]) ? i : pivot;
      }
      swapRows(a, d, c, pivot);
      swapRows(inverse, d, c, pivot);
      double scale = 1 / a[c * d + c];
      for (int j = 0; j < d; j++) {
        a[c * d + j] *= scale;
        inverse[c * d + j] *= scale;
      }
      for (int i = 0; i < d; i++) {
        double times = i == c ? 0 : a[i * d + c];
        for (int j = 0; j < d && times != 0; j++) {
          a[i * d + j] -= times * a[c * d + j];
          inverse[i * d + j] -= times * inverse[c * d + j];
        }
      }
    }
    var linear = new Frame(new double[d], inverse, -logDet);
    double[] shift = linear.toZ(centre, 0);
    return linear.at(Arrays.stream(shift).map(v -> -v).toArray());
  }

  private static void swapRows(double[] a, int d, int i, int j) {
    for (int c = 0; c < d && i != j; c++) {
      double swapped = a[i * d + c];
      a[i * d + c] = a[j * d + c];
      a[j * d + c] = swapped;
    }
  }

  /** The frame in which {@code shift + sds v}, by coordinates, of this one is v. */
  public Frame then(double[] shift, double[] sds) {
    int d = sds.length;
    double[] matrix = new double[d * d];
    for (int i = 0; i < d; i++) {
      matrix[i * d + i] = sds[i];
    }
    return then(shift, matrix, Arrays.stream(sds).map(Math::log).sum());
  }

  /** The frame in which {@code shift + matrix v} of this one is v. */
  public Frame then(double[] shift, double[] matrix, double logDetOfMatrix) {
    int d = centre.length;
    double[] product = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int k = 0; k < d; k++) {
        for (int j = 0; j < d; j++) {
          product[i * d + j] += factor[i * d + k] * matrix[k * d + j];
        }
      }
    }
    return new Frame(toZ(shift, 0), product, logDet + logDetOfMatrix);
  }
}
