package cifvi.experiments.figures;

import cifvi.tensor.Backend;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/** Points of the plane. */
public final class Points {
  private final double[] x;
  private final double[] y;

  public Points(double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          "points: expected as many x as y, got " + x.length + " and " + y.length);
    }
    this.x = x;
    this.y = y;
  }

  /** The rows of a tensor {@code [n, 2]}. */
  static Points of(Tensor rows) {
    double[] values = Backend.doubles(rows);
    return new Points(column(values, 0), column(values, 1));
  }

  private static double[] column(double[] values, int column) {
    return IntStream.range(0, values.length / 2).mapToDouble(i -> values[2 * i + column]).toArray();
  }

  public double x(int i) {
    return x[i];
  }

  public double y(int i) {
    return y[i];
  }

  /** All x, in order. */
  public DoubleStream x() {
    return DoubleStream.of(x);
  }

  /** All y, in order. */
  public DoubleStream y() {
    return DoubleStream.of(y);
  }

  public int count() {
    return x.length;
  }

  /** How many lie in the frame. */
  public int inside(Frame frame) {
    return (int) IntStream.range(0, count()).filter(i -> frame.holds(x[i], y[i])).count();
  }

  /** How far from 0 this share of the coordinates reaches. */
  double reach(double share) {
    return Quantiles.of(DoubleStream.concat(x(), y()).map(Math::abs).toArray(), share);
  }

  /**
   * The smallest frame out of {@code least}, twice that, five times, ten times and so on, that
   * holds 99 in 100 coordinates.
   */
  public Frame frame(Frame least) {
    double reach = reach(0.99);
    double[] factors = {1, 2, 5};
    double limit = least.limit();
    for (int i = 1; limit < reach && i < 30; i++) {
      limit = least.limit() * factors[i % 3] * Math.pow(10, Math.floorDiv(i, 3));
    }
    return new Frame(limit);
  }
}
