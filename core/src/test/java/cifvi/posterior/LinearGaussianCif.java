package cifvi.posterior;

import cifvi.bijection.Chain;
import cifvi.bijection.IndexedBijection;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.NormalBase;
import cifvi.nn.Network;
import cifvi.nn.Parameters;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * A CIF of which everything is known: w₀ ~ N(0, σ₀² I) in the plane; in each layer u|w ~ N(b·w + c,
 * τ²) and z = w + a u + e, so that z and u|z are Gaussian.
 *
 * <p>r(u|z) is exact, or wrong in a known way: its mean off by 0.2 + 0.15 z₁ - 0.1 z₂, its standard
 * deviation 0.8 times the right one.
 */
public final class LinearGaussianCif {
  private static final double SIGMA0 = 0.9;
  private static final double[] WRONG_MEAN = {0.2, 0.15, -0.1};
  private static final double WRONG_STD = 0.8;

  private final Backend backend;
  private final boolean wrong;
  private final List<Layer> layers = new ArrayList<>();
  private Gaussian z =
      new Gaussian(
          new double[] {0, 0}, new double[][] {{SIGMA0 * SIGMA0, 0}, {0, SIGMA0 * SIGMA0}});
  private double gap;

  private LinearGaussianCif(Backend backend, boolean wrong) {
    this.backend = backend;
    this.wrong = wrong;
    add(new double[] {0.4, -0.3}, 0.2, 0.5, new double[] {0.5, -0.3}, new double[] {0.1, -0.2});
    add(new double[] {-0.2, 0.4}, -0.1, 0.6, new double[] {0.3, 0.4}, new double[] {0, 0.3});
  }

  /** With r(u|z) = q(u|z). */
  public static LinearGaussianCif exact(Backend backend) {
    return new LinearGaussianCif(backend, false);
  }

  /** With an r(u|z) that is wrong in mean and scale. */
  public static LinearGaussianCif wrong(Backend backend) {
    return new LinearGaussianCif(backend, true);
  }

  /** The density of z. */
  public Gaussian z() {
    return z;
  }

  /** E KL(q(u|z) ‖ r(u|z)), summed over the layers: what the auxiliary ELBO loses (eq. 3). */
  public double gap() {
    return gap;
  }

  public Model model(Target target) {
    var parameters = new Parameters(backend, 0);
    return new Model(
        new Posterior(NormalBase.create(parameters, 2, SIGMA0, false), layers), target, parameters);
  }

  private void add(double[] b, double c, double tau, double[] a, double[] e) {
    var st = linear(new double[] {a[0], a[1], 0, 0}, e[0], e[1], 0, 0);
    var q = linear(new double[] {b[0], 0, b[1], 0}, c, Math.log(tau));
    layers.add(
        new CifLayer(
            new IndexedBijection(Chain.IDENTITY, st),
            new ConditionalNormal(q),
            advance(b, c, tau, a, e)));
  }

  /** Moves the moments of z through a layer, and from those of (z, u) finds its r(u|z). */
  private ConditionalNormal advance(double[] b, double c, double tau, double[] a, double[] e) {
    double uMean = c + b[0] * z.mean(0) + b[1] * z.mean(1);
    double uVariance = b[0] * cov(0, b) + b[1] * cov(1, b) + tau * tau;
    double[] mean = new double[2];
    double[] zu = new double[2];
    double[][] zz = new double[2][2];
    for (int i = 0; i < 2; i++) {
      mean[i] = z.mean(i) + a[i] * uMean + e[i];
      zu[i] = cov(i, b) + a[i] * uVariance;
      for (int j = 0; j < 2; j++) {
        zz[i][j] =
            z.covariance(i, j) + cov(i, b) * a[j] + a[i] * cov(j, b) + a[i] * a[j] * uVariance;
      }
    }
    z = new Gaussian(mean, zz);
    double det = zz[0][0] * zz[1][1] - zz[0][1] * zz[1][0];
    double k1 = (zz[1][1] * zu[0] - zz[0][1] * zu[1]) / det;
    double k2 = (zz[0][0] * zu[1] - zz[0][1] * zu[0]) / det;
    return r(uMean - k1 * mean[0] - k2 * mean[1], k1, k2, uVariance - k1 * zu[0] - k2 * zu[1]);
  }

  /** The covariance of w_i with b·w. */
  private double cov(int i, double[] b) {
    return z.covariance(i, 0) * b[0] + z.covariance(i, 1) * b[1];
  }

  /** Where q(u|z) = N(k0 + k1 z₁ + k2 z₂, variance): this, or what is made of it. */
  private ConditionalNormal r(double k0, double k1, double k2, double variance) {
    double off = wrong ? 1 : 0;
    double scale = wrong ? WRONG_STD : 1;
    double meanSquare = off * z.meanSquare(WRONG_MEAN[0], WRONG_MEAN[1], WRONG_MEAN[2]);
    gap += Math.log(scale) + (variance + meanSquare) / (2 * scale * scale * variance) - 0.5;
    return new ConditionalNormal(
        linear(
            new double[] {k1 + off * WRONG_MEAN[1], 0, k2 + off * WRONG_MEAN[2], 0},
            k0 + off * WRONG_MEAN[0],
            Math.log(scale) + 0.5 * Math.log(variance)));
  }

  /** v to v W + bias, W given row-major. */
  private Network linear(double[] weights, double... bias) {
    Tensor w = backend.tensor(weights, weights.length / bias.length, bias.length);
    Tensor b = backend.tensor(bias, bias.length);
    return v -> v.matmul(w).add(b);
  }
}
