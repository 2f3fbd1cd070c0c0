package cifvi.diagnostics;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * N(y*, P^{-1}) at a maximum y* of log p, P = L D Lᵀ being minus the matrix of second derivatives,
 * by differences of gradients. Where p is flatter than q is wide, D is kept at 1: the normal is
 * then as wide as q, and no wider.
 */
final class LocalNormal {
  private static final double STEP = 1e-3;
  private static final double SMALL = 0.1;
  private static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  private final int d;
  private final double[] centre;
  private final double[] unit; // L, with ones on its diagonal
  private final double[] diagonal; // D
  private final double[] gradient;

  LocalNormal(Whitened p, double[] centre) {
    this.centre = centre;
    d = centre.length;
    double[] points = new double[(d + 1) * d];
    for (int row = 0; row <= d; row++) {
      System.arraycopy(centre, 0, points, row * d, d);
      if (row < d) {
        points[row * d + row] += STEP;
      }
    }
    double[] gradients = new double[points.length];
    p.logDensities(points, new double[d + 1], gradients);
    gradient = Arrays.copyOfRange(gradients, d * d, (d + 1) * d);
    unit = new double[d * d];
    diagonal = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double ij = gradient[i] - gradients[j * d + i];
        double ji = gradient[j] - gradients[i * d + j];
        unit[i * d + j] = 0.5 * (ij + ji) / STEP;
      }
    }
    decompose();
  }

  private void decompose() {
    for (int j = 0; j < d; j++) {
      double rest = unit[j * d + j];
      for (int k = 0; k < j; k++) {
        rest -= unit[j * d + k] * unit[j * d + k] * diagonal[k];
      }
      boolean flat = !(rest > 1);
      diagonal[j] = flat ? 1 : rest;
      unit[j * d + j] = 1;
      for (int i = j + 1; i < d; i++) {
        double sum = unit[i * d + j];
        for (int k = 0; k < j; k++) {
          sum -= unit[i * d + k] * unit[j * d + k] * diagonal[k];
        }
        unit[i * d + j] = Double.isFinite(sum) ? sum / diagonal[j] : 0;
      }
    }
  }

  /** Whether the gradient is small here, so that this is a maximum: Newton's decrement. */
  boolean atMaximum() {
    double[] s = gradient.clone();
    double decrement = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < i; j++) {
        s[i] -= unit[i * d + j] * s[j];
      }
      decrement += s[i] * s[i] / diagonal[i];
    }
    return decrement < SMALL;
  }

  /** (y - y*)ᵀ P (y - y*), for row {@code row} of y. */
  double distance(double[] y, int row) {
    double sum = 0;
    for (int j = 0; j < d; j++) {
      double t = 0;
      for (int i = j; i < d; i++) {
        t += unit[i * d + j] * (y[row * d + i] - centre[i]);
      }
      sum += t * t * diagonal[j];
    }
    return sum;
  }

  /** Whether a row of y is where nearly all draws of this normal are. */
  boolean contains(double[] y, int row) {
    return distance(y, row) < d + 3 * Math.sqrt(2.0 * d);
  }

  /** Draws, row-major. */
  double[] draw(int count, SplittableRandom random) {
    double[] y = new double[count * d];
    for (int row = 0; row < count; row++) {
      double[] s = new double[d];
      for (int i = d - 1; i >= 0; i--) {
        s[i] = random.nextGaussian() / Math.sqrt(diagonal[i]);
        for (int k = i + 1; k < d; k++) {
          s[i] -= unit[k * d + i] * s[k];
        }
        y[row * d + i] = centre[i] + s[i];
      }
    }
    return y;
  }

  double logDensity(double[] y, int row) {
    double logDet = Arrays.stream(diagonal).map(Math::log).sum();
    return -0.5 * (distance(y, row) - logDet) - d * HALF_LOG_2_PI;
  }
}
