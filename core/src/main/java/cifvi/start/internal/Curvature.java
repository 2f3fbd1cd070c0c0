package cifvi.start.internal;

import cifvi.tensor.Precision;
import org.jspecify.annotations.Nullable;

/**
 * The second derivatives of log p at a point, by differences of its gradient along every axis,
 * which are as exact as {@code precision}.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Curvature(double[] at, double[] gradient, Precision precision) {
  private double difference() {
    return precision == Precision.FLOAT64 ? 1e-5 : 1e-2;
  }

  /** Below this part of a gradient a difference of two of them is rounding. */
  private double rounding() {
    return precision == Precision.FLOAT64 ? 1e-10 : 1e-5;
  }

  /** How far point i is from here along axis i. */
  private double step(int i) {
    return difference() * Math.max(1, Math.abs(at[i]));
  }

  /** Where the gradient has to be known. */
  double[] point(int i) {
    double[] point = at.clone();
    point[i] += step(i);
    return point;
  }

  /**
   * Standard deviations by the curvature along every axis alone, whatever its sign; 1 where nothing
   * is known.
   *
   * @param gradients at the points, from row {@code from} on
   */
  double[] sds(double[] gradients, int from) {
    int d = at.length;
    double[] sds = new double[d];
    for (int i = 0; i < d; i++) {
      double change = Math.abs(gradient[i] - gradients[(from + i) * d + i]);
      double curvature = Math.max(change, rounding() * Math.abs(gradient[i])) / step(i);
      sds[i] = curvature > 0 && Double.isFinite(curvature) ? 1 / Math.sqrt(curvature) : 1;
    }
    return sds;
  }

  /**
   * The normal with the second derivatives of log p, around the same point.
   *
   * @return null where there is none: log p is no maximum along all lines through it
   */
  @Nullable LocalNormal laplace(double logP, double[] gradients, int from) {
    int d = at.length;
    double[] sds = sds(gradients, from);
    double[] l = new double[d * d]; // of minus the second derivatives, in units of sds
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double ij = (gradient[j] - gradients[(from + i) * d + j]) / step(i);
        double ji = (gradient[i] - gradients[(from + j) * d + i]) / step(j);
        double sum = 0.5 * (ij + ji) * sds[i] * sds[j];
        for (int k = 0; k < j; k++) {
          sum -= l[i * d + k] * l[j * d + k];
        }
        if (i == j && !(sum > rounding())) {
          return null;
        }
        l[i * d + j] = i == j ? Math.sqrt(sum) : sum / l[j * d + j];
      }
    }
    double[] factor = new double[d * d]; // S L⁻ᵀ
    double logDet = 0;
    for (int column = 0; column < d; column++) {
      for (int i = column; i >= 0; i--) {
        double sum = i == column ? 1 : 0;
        for (int k = i + 1; k <= column; k++) {
          sum -= l[k * d + i] * factor[k * d + column];
        }
        factor[i * d + column] = sum / l[i * d + i];
      }
      logDet += Math.log(sds[column]) - Math.log(l[column * d + column]);
    }
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        factor[i * d + j] *= sds[i];
      }
    }
    return new LocalNormal(at.clone(), factor, logDet, logP, Double.NEGATIVE_INFINITY);
  }
}
