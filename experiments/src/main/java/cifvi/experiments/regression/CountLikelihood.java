package cifvi.experiments.regression;

import cifvi.experiments.target.Normals;
import java.util.Arrays;

/**
 * Responses whose mean is a function of η_i = c + α + x_i β: zeros and ones with log-odds η, or
 * counts with log-mean η. Rows are gone through in blocks, so that a call needs little memory.
 */
final class CountLikelihood implements Likelihood {
  private static final int BLOCK = 1024;

  private final double[][] x;
  private final double[] y;
  private final double centre;
  private final boolean counts;
  private final double constant;

  /**
   * @param centre c, what η is where α and β are 0
   * @param counts whether y are counts, not zeros and ones
   */
  CountLikelihood(double[][] x, double[] y, double centre, boolean counts) {
    this.x = x;
    this.y = y;
    this.centre = centre;
    this.counts = counts;
    double sum = 0;
    if (counts) {
      for (double count : y) {
        sum -= logFactorial(count);
      }
    }
    constant = sum;
  }

  @Override
  public double at(double[] w, double[] gradient) {
    double[] eta = new double[Math.min(BLOCK, y.length)];
    double logP = constant;
    for (int from = 0; from < y.length; from += BLOCK) {
      int size = Math.min(BLOCK, y.length - from);
      Arrays.fill(eta, 0, size, centre + w[0]);
      for (int j = 0; j < x.length; j++) {
        for (int i = 0; i < size; i++) {
          eta[i] += w[1 + j] * x[j][from + i];
        }
      }
      double rest = 0;
      for (int i = 0; i < size; i++) {
        double response = y[from + i];
        double e = Math.exp(counts ? eta[i] : -Math.abs(eta[i]));
        double mean = counts ? e : (eta[i] > 0 ? 1 : e) / (1 + e);
        logP += response * eta[i] - (counts ? e : Math.max(eta[i], 0) + Math.log1p(e));
        eta[i] = response - mean;
        rest += eta[i];
      }
      gradient[0] += rest;
      for (int j = 0; j < x.length; j++) {
        double sum = 0;
        for (int i = 0; i < size; i++) {
          sum += eta[i] * x[j][from + i];
        }
        gradient[1 + j] += sum;
      }
    }
    return logP;
  }

  /** Whether η is positive for all ones and negative for all zeros. */
  boolean separates(double[] w) {
    for (int i = 0; i < y.length; i++) {
      double eta = centre + w[0];
      for (int j = 0; j < x.length; j++) {
        eta += w[1 + j] * x[j][i];
      }
      if (counts || (y[i] > 0 ? eta <= 0 : eta >= 0)) {
        return false;
      }
    }
    return true;
  }

  /** log n!, by Stirling's series from 20 on, where it is exact to the last digits. */
  static double logFactorial(double n) {
    if (n < 20) {
      double product = 1;
      for (int k = 2; k <= n; k++) {
        product *= k;
      }
      return Math.log(product);
    }
    double m = n + 1;
    return (m - 0.5) * Math.log(m)
        - m
        + Normals.HALF_LOG_2_PI
        + 1 / (12 * m)
        - 1 / (360 * m * m * m)
        + 1 / (1260 * Math.pow(m, 5));
  }
}
