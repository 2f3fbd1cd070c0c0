package cifvi.start.internal;

/**
 * z = c + J ε, a normal that was found on an ascent.
 *
 * @param centre c
 * @param factor J, row-major
 * @param logDet log|det J|
 * @param logP at the centre
 * @param elbo of it, from a few draws
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LocalNormal(
    double[] centre, double[] factor, double logDet, double logP, double elbo) {
  /** c + J ε for row {@code row} of ε. */
  double[] draw(double[] noise, int row) {
    int d = centre.length;
    double[] z = centre.clone();
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        z[i] += factor[i * d + j] * noise[row * d + j];
      }
    }
    return z;
  }

  /** c + J Jᵀ g, where the maximum is if g is the gradient at c and log p a parabola. */
  double[] newton(double[] gradient) {
    double[] pulled = new double[centre.length];
    frame().pullBack(gradient, pulled, 0);
    return draw(pulled, 0);
  }

  /** The same around another point. */
  LocalNormal at(double[] point, double logPThere) {
    return new LocalNormal(point, factor, logDet, logPThere, elbo);
  }

  /** The same map without what is known of log p. */
  Frame frame() {
    return new Frame(centre, factor, logDet);
  }

  /** The same with arrays of its own. */
  LocalNormal copy() {
    return new LocalNormal(centre.clone(), factor.clone(), logDet, logP, elbo);
  }

  /** The variance of coordinate i. */
  double variance(int i) {
    int d = centre.length;
    double sum = 0;
    for (int j = 0; j < d; j++) {
      sum += factor[i * d + j] * factor[i * d + j];
    }
    return sum;
  }

  /**
   * E[log p] + the entropy, from log p of the draws with rows {@code 0 … count} of the noise. Where
   * some have no answer it is the bound of the normal without their part of the space.
   */
  double bound(double[] logP, int from, double[] noise, int count) {
    int d = centre.length;
    double sum = 0;
    int good = 0;
    for (int row = 0; row < count; row++) {
      if (!Double.isFinite(logP[from + row])) {
        continue;
      }
      double square = 0;
      for (int j = 0; j < d; j++) {
        square += noise[row * d + j] * noise[row * d + j];
      }
      sum += logP[from + row] + 0.5 * square;
      good++;
    }
    return good == 0
        ? Double.NEGATIVE_INFINITY
        : sum / good + logDet + d * 0.5 * Math.log(2 * Math.PI) + Math.log(good / (double) count);
  }

  LocalNormal withElbo(double bound) {
    return new LocalNormal(centre, factor, logDet, logP, bound);
  }
}
