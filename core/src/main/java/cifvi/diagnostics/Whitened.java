package cifvi.diagnostics;

import cifvi.start.internal.Frame;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.vi.LogMeanExp;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * p and q in coordinates y, z = m + L y, with the mean m and the covariance L Lᵀ of draws of q;
 * counts the calls of p.
 */
final class Whitened {
  private static final double JITTER = 1e-9;
  private static final double LEAST_SD = 1e-150;
  private static final Backend EXACT = Backend.cpu(Precision.FLOAT64);

  private final Approximation q;
  private final Frame frame;
  private final Frame toY;
  private long calls;

  Whitened(Approximation q, double[] z) {
    this.q = q;
    frame = around(z, q.dimensions());
    toY = frame.inverse();
  }

  private static Frame around(double[] z, int d) {
    try (var _ = new PointerScope()) {
      Tensor all = EXACT.tensor(z, z.length / d, d);
      Tensor draws = all.masked_select(all.isfinite().all(1, true)).view(-1, d);
      Tensor mean = draws.mean(0);
      Tensor away = draws.sub(mean);
      Tensor sds =
          away.square()
              .mean(0)
              .sqrt()
              .clamp_min(Scalars.of(LEAST_SD))
              .clamp_max(Scalars.of(1 / LEAST_SD));
      Tensor unit = away.div(sds);
      Tensor correlations = unit.t().matmul(unit).div(Scalars.of((double) draws.size(0)));
      Tensor factor =
          torch
              .linalg_cholesky(
                  correlations.add(torch.eye(d, all.options()).mul(Scalars.of(JITTER))))
              .mul(sds.unsqueeze(1));
      return Frame.triangular(Backend.doubles(mean), Backend.doubles(factor));
    }
  }

  int dimensions() {
    return frame.dimensions();
  }

  long calls() {
    return calls;
  }

  double[] toZ(double[] y) {
    return frame.toZ(y);
  }

  double[] toY(double[] z) {
    return toY.toZ(z);
  }

  /**
   * The direction of axis i of y, or of axis i - d of z, there as long as its standard deviation.
   */
  double[] axis(int i) {
    int d = dimensions();
    double[] axis = new double[d];
    if (i < d) {
      axis[i] = 1;
      return axis;
    }
    for (int j = 0; j < d; j++) {
      axis[i - d] = Math.hypot(axis[i - d], frame.factor()[(i - d) * d + j]);
    }
    return toY.at(new double[d]).toZ(axis);
  }

  /** log p(y), -∞ where there is no number, and its gradient where asked for. */
  void logDensities(double[] y, double[] logP, double @Nullable [] gradients) {
    calls += logP.length;
    double[] byZ = gradients == null ? null : new double[y.length];
    q.logDensities(toZ(y), logP, byZ);
    int d = dimensions();
    for (int row = 0; row < logP.length; row++) {
      logP[row] = Double.isNaN(logP[row]) ? Double.NEGATIVE_INFINITY : logP[row] + frame.logDet();
      if (gradients != null && byZ != null) {
        frame.pullBack(Arrays.copyOfRange(byZ, row * d, (row + 1) * d), gradients, row);
      }
    }
    for (int i = 0; gradients != null && i < gradients.length; i++) {
      gradients[i] = Double.isFinite(gradients[i]) ? gradients[i] : 0;
    }
  }

  /** log q(y), by several paths back where it is not known itself. */
  double[] logQ(double[] y, long seed) {
    int paths = q.explicit() ? 1 : Assessment.PATHS;
    double[] logG = q.backward(toZ(y), paths, seed);
    double[] logQ = new double[y.length / dimensions()];
    for (int row = 0; row < logQ.length; row++) {
      var average = new LogMeanExp();
      for (int j = 0; j < paths; j++) {
        average.add(logG[row * paths + j]);
      }
      logQ[row] = average.value() + frame.logDet();
    }
    return logQ;
  }
}
