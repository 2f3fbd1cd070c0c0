package cifvi.experiments.figures;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Principal components: the orthogonal directions in which points vary most.
 *
 * @param directions of length 1, in order of falling variance, each with its largest entry positive
 * @param variances along them
 */
@SuppressWarnings("ArrayRecordComponent") // a few numbers; never compared
record Pca(double[] mean, double[][] directions, double[] variances) {
  private static final int MOST_SWEEPS = 60;

  /** Of points {@code [n][d]}, with n in the denominator of the covariance. */
  static Pca of(double[][] points) {
    int d = points[0].length;
    double[] mean = new double[d];
    for (double[] point : points) {
      for (int i = 0; i < d; i++) {
        mean[i] += point[i] / points.length;
      }
    }
    double[][] covariance = new double[d][d];
    for (double[] point : points) {
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          covariance[i][j] += (point[i] - mean[i]) * (point[j] - mean[j]) / points.length;
        }
      }
    }
    return decompose(mean, covariance);
  }

  /** Jacobi's method: rotations make a symmetric matrix diagonal, entry by entry. */
  private static Pca decompose(double[] mean, double[][] a) {
    int d = mean.length;
    double[][] v = new double[d][d];
    for (int i = 0; i < d; i++) {
      v[i][i] = 1;
    }
    for (int sweep = 0; sweep < MOST_SWEEPS && offDiagonal(a) > 0; sweep++) {
      for (int p = 0; p < d; p++) {
        for (int q = p + 1; q < d; q++) {
          if (a[p][q] != 0) {
            rotate(a, v, p, q);
          }
        }
      }
    }
    int[] order =
        IntStream.range(0, d)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> -a[i][i]))
            .mapToInt(Integer::intValue)
            .toArray();
    return new Pca(
        mean,
        Arrays.stream(order).mapToObj(i -> upright(v[i])).toArray(double[][]::new),
        Arrays.stream(order).mapToDouble(i -> a[i][i]).toArray());
  }

  /** The sum of squares that is still to vanish; 0 where it is lost in rounding. */
  private static double offDiagonal(double[][] a) {
    double off = 0;
    double diagonal = 0;
    for (int i = 0; i < a.length; i++) {
      diagonal += a[i][i] * a[i][i];
      for (int j = i + 1; j < a.length; j++) {
        off += a[i][j] * a[i][j];
      }
    }
    return off < 1e-28 * diagonal ? 0 : off;
  }

  /** Makes {@code a[p][q]} vanish; the rows of v are the directions so far. */
  private static void rotate(double[][] a, double[][] v, int p, int q) {
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
    double cos = 1 / Math.hypot(t, 1);
    double sin = t * cos;
    for (double[] row : a) {
      double before = row[p];
      row[p] = cos * before - sin * row[q];
      row[q] = sin * before + cos * row[q];
    }
    turn(a[p], a[q], cos, sin);
    turn(v[p], v[q], cos, sin);
  }

  private static void turn(double[] x, double[] y, double cos, double sin) {
    for (int k = 0; k < x.length; k++) {
      double before = x[k];
      x[k] = cos * before - sin * y[k];
      y[k] = sin * before + cos * y[k];
    }
  }

  private static double[] upright(double[] direction) {
    double largest =
        Arrays.stream(direction).reduce(0, (m, v) -> Math.abs(v) > Math.abs(m) ? v : m);
    return Arrays.stream(direction).map(v -> Math.copySign(1, largest) * v).toArray();
  }

  /** The points as seen along the first two directions. */
  Points plane(double[][] points) {
    return new Points(along(0, points), along(1, points));
  }

  private double[] along(int direction, double[][] points) {
    return Arrays.stream(points)
        .mapToDouble(
            point ->
                IntStream.range(0, mean.length)
                    .mapToDouble(i -> directions[direction][i] * (point[i] - mean[i]))
                    .sum())
        .toArray();
  }

  /** The share of all variance that lies along the first two directions. */
  double planeShare() {
    return (variances[0] + variances[1]) / Arrays.stream(variances).sum();
  }
}
