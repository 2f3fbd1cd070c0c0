package cifvi.experiments.figures;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A kernel density estimate as the paper's figures have it (seaborn 0.10.1 on statsmodels): product
 * Gaussian kernel, bandwidth 1.059 min(std, IQR/1.349) n^(-1/5) in each axis.
 */
public record Kde(Points points, double bandwidthX, double bandwidthY) {
  private static final double NORMAL_IQR = 1.349;
  private static final double LEAST_BANDWIDTH = 1e-6;

  /** The estimate from these points; those that are not finite are left out. */
  public static Kde of(Points points) {
    int[] finite =
        IntStream.range(0, points.count())
            .filter(i -> Double.isFinite(points.x(i)) && Double.isFinite(points.y(i)))
            .toArray();
    double[] x = Arrays.stream(finite).mapToDouble(i -> points.x(i)).toArray();
    double[] y = Arrays.stream(finite).mapToDouble(i -> points.y(i)).toArray();
    return new Kde(new Points(x, y), bandwidth(x), bandwidth(y));
  }

  /** Scott's rule with the smaller of two measures of spread. */
  static double bandwidth(double[] values) {
    double spread = standardDeviation(values);
    double iqr = (Quantiles.of(values, 0.75) - Quantiles.of(values, 0.25)) / NORMAL_IQR;
    if (iqr > 0) {
      spread = Math.min(spread, iqr);
    }
    double bandwidth = 1.059 * spread * Math.pow(values.length, -0.2);
    return bandwidth > LEAST_BANDWIDTH ? bandwidth : LEAST_BANDWIDTH;
  }

  private static double standardDeviation(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / (values.length - 1));
  }

  /** The estimate on a grid. */
  public DensityGrid on(Frame frame, int size) {
    double[][] alongX = kernels(points.x().toArray(), bandwidthX, frame, size);
    double[][] alongY = kernels(points.y().toArray(), bandwidthY, frame, size);
    double[] values = new double[size * size];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        values[row * size + column] = dot(alongX[column], alongY[row]) / points.count();
      }
    }
    return new DensityGrid(frame, size, values);
  }

  /** For each position of the grid, the kernel's value at every point: {@code [size][n]}. */
  private static double[][] kernels(double[] points, double bandwidth, Frame frame, int size) {
    double factor = 1 / (bandwidth * Math.sqrt(2 * Math.PI));
    double[][] kernels = new double[size][points.length];
    for (int i = 0; i < size; i++) {
      double position = frame.at(i, size);
      for (int k = 0; k < points.length; k++) {
        double e = (position - points[k]) / bandwidth;
        kernels[i][k] = factor * Math.exp(-0.5 * e * e);
      }
    }
    return kernels;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += a[k] * b[k];
    }
    return sum;
  }
}
