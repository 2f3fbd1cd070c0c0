package cifvi.posterior;

import cifvi.tensor.Backend;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/** A Gaussian in a few dimensions in plain Java arithmetic, to check the library against. */
public final class Gaussian {
  private final double[] mean;
  private final double[][] covariance;

  public Gaussian(double[] mean, double[][] covariance) {
    this.mean = mean.clone();
    this.covariance = Arrays.stream(covariance).map(double[]::clone).toArray(double[][]::new);
  }

  public double mean(int i) {
    return mean[i];
  }

  public double covariance(int i, int j) {
    return covariance[i][j];
  }

  /** E[(a + b·v)²]. */
  public double meanSquare(double a, double... b) {
    double first = a;
    double second = 0;
    for (int i = 0; i < mean.length; i++) {
      first += b[i] * mean[i];
      for (int j = 0; j < mean.length; j++) {
        second += b[i] * covariance[i][j] * b[j];
      }
    }
    return first * first + second;
  }

  /** The log-density of every row of v. */
  public double[] logDensities(Tensor v) {
    double[] values = Backend.doubles(v);
    double[] result = new double[values.length / mean.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = logDensity(Arrays.copyOfRange(values, i * mean.length, (i + 1) * mean.length));
    }
    return result;
  }

  /** By forward substitution with the Cholesky factor of the covariance. */
  private double logDensity(double[] v) {
    int d = mean.length;
    double[][] factor = new double[d][d];
    double[] e = new double[d];
    double result = -0.5 * d * Math.log(2 * Math.PI);
    for (int i = 0; i < d; i++) {
      double rest = v[i] - mean[i];
      for (int j = 0; j <= i; j++) {
        double sum = covariance[i][j];
        for (int k = 0; k < j; k++) {
          sum -= factor[i][k] * factor[j][k];
        }
        factor[i][j] = i == j ? Math.sqrt(sum) : sum / factor[j][j];
        rest -= i == j ? 0 : factor[i][j] * e[j];
      }
      e[i] = rest / factor[i][i];
      result -= Math.log(factor[i][i]) + 0.5 * e[i] * e[i];
    }
    return result;
  }
}
