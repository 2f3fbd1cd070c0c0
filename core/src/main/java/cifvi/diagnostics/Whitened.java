package cifvi.diagnostics;

import cifvi.vi.LogMeanExp;
import org.jspecify.annotations.Nullable;

/**
 * p and q in coordinates y, z = m + L y, with the mean m and the covariance L Lᵀ of draws of q;
 * counts the calls of p.
 */
final class Whitened {
  private static final double JITTER = 1e-9;

  private final Approximation q;
  private final int d;
  private final double[] mean;
  private final double[] factor; // L, lower triangular
  private double logDet;
  private long calls;

  Whitened(Approximation q, double[] z) {
    this.q = q;
    d = q.dimensions();
    mean = new double[d];
    int n = z.length / d;
    for (int i = 0; i < z.length; i++) {
      mean[i % d] += z[i] / n;
    }
    factor = new double[d * d];
    for (int row = 0; row < n; row++) {
      for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
          factor[i * d + j] += (z[row * d + i] - mean[i]) * (z[row * d + j] - mean[j]) / n;
        }
      }
    }
    cholesky();
  }

  private void cholesky() {
    for (int j = 0; j < d; j++) {
      double variance = factor[j * d + j];
      double rest = variance;
      for (int k = 0; k < j; k++) {
        rest -= factor[j * d + k] * factor[j * d + k];
      }
      double root = Math.sqrt(Math.max(rest, Math.max(JITTER * variance, Double.MIN_NORMAL)));
      factor[j * d + j] = root;
      logDet += Math.log(root);
      for (int i = j + 1; i < d; i++) {
        double sum = factor[i * d + j];
        for (int k = 0; k < j; k++) {
          sum -= factor[i * d + k] * factor[j * d + k];
        }
        factor[i * d + j] = sum / root;
      }
    }
  }

  int dimensions() {
    return d;
  }

  long calls() {
    return calls;
  }

  double[] toZ(double[] y) {
    double[] z = new double[y.length];
    for (int row = 0; row < y.length; row += d) {
      for (int i = 0; i < d; i++) {
        z[row + i] = mean[i];
        for (int j = 0; j <= i; j++) {
          z[row + i] += factor[i * d + j] * y[row + j];
        }
      }
    }
    return z;
  }

  double[] toY(double[] z) {
    double[] y = new double[z.length];
    for (int row = 0; row < z.length; row += d) {
      for (int i = 0; i < d; i++) {
        double rest = z[row + i] - mean[i];
        for (int j = 0; j < i; j++) {
          rest -= factor[i * d + j] * y[row + j];
        }
        y[row + i] = rest / factor[i * d + i];
      }
    }
    return y;
  }

  /** log p(y), -∞ where there is no number, and its gradient where asked for. */
  void logDensities(double[] y, double[] logP, double @Nullable [] gradients) {
    calls += logP.length;
    double[] byZ = gradients == null ? null : new double[y.length];
    q.logDensities(toZ(y), logP, byZ);
    for (int row = 0; row < logP.length; row++) {
      logP[row] = Double.isNaN(logP[row]) ? Double.NEGATIVE_INFINITY : logP[row] + logDet;
      for (int j = 0; j < d && gradients != null && byZ != null; j++) {
        double sum = 0;
        for (int i = j; i < d; i++) {
          sum += factor[i * d + j] * byZ[row * d + i];
        }
        gradients[row * d + j] = Double.isFinite(sum) ? sum : 0;
      }
    }
  }

  /** log q(y), by several paths back where it is not known itself. */
  double[] logQ(double[] y, long seed) {
    int paths = q.explicit() ? 1 : Assessment.PATHS;
    double[] logG = q.backward(toZ(y), paths, seed);
    double[] logQ = new double[y.length / d];
    for (int row = 0; row < logQ.length; row++) {
      var average = new LogMeanExp();
      for (int j = 0; j < paths; j++) {
        average.add(logG[row * paths + j]);
      }
      logQ[row] = average.value() + logDet;
    }
    return logQ;
  }
}
