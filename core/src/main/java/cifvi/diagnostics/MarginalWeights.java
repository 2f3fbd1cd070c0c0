package cifvi.diagnostics;

import cifvi.vi.Estimate;
import cifvi.vi.LogMeanExp;
import cifvi.vi.Moments;

/**
 * p(z) / q̂(z) of draws whose q(z) = ∫ q(z, u) du is known through q̂(z) = 1/(M+1) Σ_j q(z, u_j) /
 * r(u_j|z) alone, u_0 being the index that generated z and the others drawn from r.
 *
 * <p>E[1 / q̂(z) | z] = 1 / q(z) exactly, whatever r is: these are proper importance weights, those
 * of the lower side of the bracket of the marginal ELBO. With M = 0 they are the joint weights p(z)
 * r(u|z) / q(z, u), with large M the weights of q(z) itself: where they are much better than the
 * joint ones, r is at fault and not q.
 *
 * @param lower of the marginal ELBO, the mean of log p - log q̂
 * @param upper of the marginal ELBO (eq. 22), without u_0 in the average
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
record MarginalWeights(double[] logWeights, Estimate lower, Estimate upper) {
  /**
   * Of draws.
   *
   * @param logG log q(z, u_0) - log r(u_0|z)
   * @param paths log q(z, u_j) - log r(u_j|z), as many for every draw, those of one adjacent
   */
  static MarginalWeights of(double[] logP, double[] logG, double[] paths) {
    int m = paths.length / logP.length;
    double[] logWeights = new double[logP.length];
    var lower = new Moments();
    var upper = new Moments();
    for (int i = 0; i < logP.length; i++) {
      var mean = new LogMeanExp();
      for (int j = 0; j < m; j++) {
        mean.add(paths[i * m + j]);
      }
      double above = logP[i] - mean.value();
      mean.add(logG[i]);
      logWeights[i] = logP[i] - mean.value();
      if (Double.isFinite(logWeights[i]) && Double.isFinite(above)) {
        upper.add(above);
        lower.add(logWeights[i]);
      }
    }
    return new MarginalWeights(logWeights, lower.estimate(), upper.estimate());
  }
}
