package cifvi.diagnostics;

/**
 * P(X > x) = (1 + k x / σ)^{-1/k}, the generalised Pareto distribution that the largest of many
 * weights follow: moments of order 1/k and above are infinite.
 *
 * @param k shape
 * @param sigma scale
 */
public record ParetoTail(double k, double sigma) {
  private static final int LEAST_POINTS = 30;

  /** Of the two parameters of the prior, as Zhang and Stephens chose it. */
  private static final double PRIOR = 3;

  /** The prior of k: so many observations with the mean 1/2. */
  private static final double PRIOR_COUNT = 10;

  private static final double PRIOR_SHAPE = 0.5;

  /**
   * The empirical Bayes estimate of Zhang and Stephens (2009, <i>Technometrics</i> 51, 316–325),
   * with the weak prior k = (n k + 5) / (n + 10) of Vehtari, Simpson, Gelman, Yao and Gabry (2024,
   * <i>JMLR</i> 25, appendix G), as R's {@code loo} computes it.
   *
   * @param x excesses over a threshold in ascending order, none negative, the last positive
   */
  public static ParetoTail fit(double[] x) {
    int n = x.length;
    int points = LEAST_POINTS + (int) Math.sqrt(n);
    double quartile = x[Math.max(0, (int) (n / 4.0 + 0.5) - 1)];
    for (int i = 0; quartile <= 0; i++) {
      quartile = x[i]; // ties at the threshold
    }
    double[] theta = new double[points];
    double[] logLikelihood = new double[points];
    double most = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < points; j++) {
      theta[j] = 1 / x[n - 1] + (1 - Math.sqrt(points / (j + 0.5))) / PRIOR / quartile;
      double k = shape(theta[j], x);
      logLikelihood[j] = n * (Math.log(-theta[j] / k) - k - 1);
      most = Math.max(most, logLikelihood[j]);
    }
    double sum = 0;
    double mean = 0;
    for (int j = 0; j < points; j++) {
      double weight = Math.exp(logLikelihood[j] - most);
      sum += weight;
      mean += weight * theta[j];
    }
    double best = mean / sum;
    double k = shape(best, x);
    double shrunk = (n * k + PRIOR_COUNT * PRIOR_SHAPE) / (n + PRIOR_COUNT);
    return new ParetoTail(shrunk, -k / best);
  }

  /** The k that is most likely for θ = -k/σ. */
  private static double shape(double theta, double[] x) {
    double sum = 0;
    for (double value : x) {
      sum += Math.log1p(-theta * value);
    }
    return sum / x.length;
  }

  /** The x with P(X ≤ x) = p. */
  public double quantile(double p) {
    return k == 0 ? -sigma * Math.log1p(-p) : sigma * Math.expm1(-k * Math.log1p(-p)) / k;
  }
}
