package cifvi.start.internal;

/**
 * H = J Jᵀ, the inverse of minus the second derivatives of log p as BFGS knows them.
 *
 * <p>J is updated as a product, J ← (I - s wᵀ) J with w = ρ y - √(ρ/sᵀBs) Bs, which is BFGS for H
 * and keeps it positive; Bs is the gradient times the length of the step.
 */
final class Bfgs {
  private static final double LEAST_CURVATURE = 1e-10;

  private final int d;
  private final double[] factor;
  private double logDet;
  private boolean scaled;

  /** The squares of standard deviations by the curvature along every axis. */
  Bfgs(double[] sds) {
    d = sds.length;
    factor = new double[d * d];
    for (int i = 0; i < d; i++) {
      factor[i * d + i] = sds[i];
      logDet += Math.log(sds[i]);
    }
  }

  /** N(z, H). */
  LocalNormal normal(double[] z, double logP) {
    return new LocalNormal(z, factor, logDet, logP, Double.NEGATIVE_INFINITY);
  }

  /** Jᵀ v. */
  double[] pulled(double[] v) {
    double[] pulled = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        pulled[j] += factor[i * d + j] * v[i];
      }
    }
    return pulled;
  }

  /** J v. */
  double[] pushed(double[] v) {
    double[] pushed = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        pushed[i] += factor[i * d + j] * v[j];
      }
    }
    return pushed;
  }

  /**
   * Learns from a step.
   *
   * @param s the step, {@code length} times H ∇ log p
   * @param before ∇ log p where it began
   * @param after ∇ log p where it ended
   * @param slope ∇ log pᵀ H ∇ log p where it began
   */
  void learn(double[] s, double[] before, double[] after, double length, double slope) {
    double[] y = new double[d];
    double product = 0;
    for (int i = 0; i < d; i++) {
      y[i] = before[i] - after[i];
      product += s[i] * y[i];
    }
    double sBs = length * length * slope;
    if (!(product > LEAST_CURVATURE * sBs)) {
      return;
    }
    double ratio = scaled ? 1 : scale(y, product);
    update(s, y, 1 / product, sBs / ratio, length / ratio, before);
  }

  /** Brings H, before it learns anything else, to the curvature of the first step. */
  private double scale(double[] y, double product) {
    double yHy = 0;
    for (double v : pulled(y)) {
      yHy += v * v;
    }
    double ratio = product / yHy;
    for (int i = 0; i < d * d; i++) {
      factor[i] *= Math.sqrt(ratio);
    }
    logDet += 0.5 * d * Math.log(ratio);
    scaled = true;
    return ratio;
  }

  private void update(
      double[] s, double[] y, double rho, double sBs, double length, double[] gradient) {
    double tau = Math.sqrt(rho / sBs);
    double[] w = new double[d];
    for (int i = 0; i < d; i++) {
      w[i] = rho * y[i] - tau * length * gradient[i];
    }
    double[] pulled = pulled(w);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        factor[i * d + j] -= s[i] * pulled[j];
      }
    }
    logDet += 0.5 * Math.log(rho * sBs);
  }
}
