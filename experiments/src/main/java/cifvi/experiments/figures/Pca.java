package cifvi.experiments.figures;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.global.torch;

/**
 * Principal components: the orthogonal directions in which points vary most.
 *
 * @param directions of length 1, in order of falling variance, each with its largest entry positive
 * @param variances along them
 */
@SuppressWarnings("ArrayRecordComponent") // a few numbers; never compared
record Pca(double[] mean, double[][] directions, double[] variances) {
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

  private static Pca decompose(double[] mean, double[][] covariance) {
    int d = mean.length;
    var backend = Backend.cpu(Precision.FLOAT64);
    try (var _ = new PointerScope()) {
      double[] flat = Arrays.stream(covariance).flatMapToDouble(Arrays::stream).toArray();
      var both = torch.linalg_eigh(backend.tensor(flat, d, d)); // values rise
      double[] values = Backend.doubles(both.get0().flip(0));
      double[] vectors = Backend.doubles(both.get1().flip(1).t());
      double[][] directions = new double[d][];
      Arrays.setAll(directions, i -> upright(Arrays.copyOfRange(vectors, i * d, (i + 1) * d)));
      return new Pca(mean, directions, values);
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
