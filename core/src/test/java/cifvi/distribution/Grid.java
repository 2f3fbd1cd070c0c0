package cifvi.distribution;

import cifvi.tensor.Backend;
import org.bytedeco.pytorch.Tensor;

/**
 * Points that cover the outcomes of a distribution: all corners of {0, 1}^d, or a lattice over
 * [-16, 16]^d on which sums of smooth densities are exact to rounding.
 *
 * @param points {@code [count, d]}
 * @param cell volume that belongs to one point
 */
record Grid(Tensor points, double cell) {
  private static final int SIDE = 257;
  private static final double STEP = 0.125;
  private static final double FIRST = -16;

  static Grid of(Backend backend, int features, boolean binary) {
    return binary
        ? new Grid(lattice(backend, features, 2, 0, 1), 1)
        : new Grid(lattice(backend, features, SIDE, FIRST, STEP), Math.pow(STEP, features));
  }

  private static Tensor lattice(Backend backend, int d, int side, double first, double step) {
    int count = (int) Math.pow(side, d);
    double[] points = new double[count * d];
    for (int i = 0; i < count; i++) {
      int rest = i;
      for (int j = 0; j < d; j++) {
        points[i * d + j] = first + step * (rest % side);
        rest /= side;
      }
    }
    return backend.tensor(points, count, d);
  }
}
