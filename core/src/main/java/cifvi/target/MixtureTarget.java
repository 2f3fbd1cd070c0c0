package cifvi.target;

import cifvi.distribution.Observation;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.tensor.Scope;
import cifvi.tensor.Shapes;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A normalised mixture of Gaussians, so that log Z = 0 and the best possible ELBO is 0.
 *
 * <p>Component k is whitened by A_k with A_k Σ_k A_kᵀ = I: log p(z) = log Σ_k w_k |det A_k| N(A_k
 * (z - μ_k); 0, I).
 */
public final class MixtureTarget implements Target {
  private final int features;
  private final Tensor means; // [K, d]
  private final Tensor whitening; // [K, d, d], A_kᵀ
  private final Tensor logFactors; // [K], log w_k + log|det A_k| - d/2 log 2π

  /**
   * Any weights, means {@code [K][d]} and covariances {@code [K][d][d]}; the weights are
   * normalised.
   */
  public MixtureTarget(
      Backend backend, double[] weights, double[][] means, double[][][] covariances) {
    int k = weights.length;
    if (k == 0 || means.length != k || covariances.length != k) {
      throw new IllegalArgumentException(
          "mixture: expected as many weights as means and covariances, got %d, %d and %d"
              .formatted(k, means.length, covariances.length));
    }
    features = means[0].length;
    double total = Arrays.stream(weights).sum();
    double[] allMeans = new double[k * features];
    double[] allWhitening = new double[k * features * features];
    double[] factors = new double[k];
    for (int c = 0; c < k; c++) {
      requirePositive("weights[" + c + "]", weights[c]);
      requireLength("means[" + c + "]", means[c].length);
      double[] whiten = whitening("covariances[" + c + "]", covariances[c]);
      factors[c] = Math.log(weights[c] / total) - 0.5 * features * Math.log(2 * Math.PI);
      for (int i = 0; i < features; i++) {
        factors[c] += Math.log(whiten[i * features + i]);
        allMeans[c * features + i] = means[c][i];
        for (int j = 0; j < features; j++) {
          allWhitening[(c * features + j) * features + i] = whiten[i * features + j];
        }
      }
    }
    try (var _ = new PointerScope()) {
      this.means = Scope.keep(backend.tensor(allMeans, k, features));
      this.whitening = Scope.keep(backend.tensor(allWhitening, k, features, features));
      this.logFactors = Scope.keep(backend.tensor(factors, k));
    }
  }

  /** A with A Σ Aᵀ = I, lower triangular: the inverse of the Cholesky factor of Σ. */
  private double[] whitening(String name, double[][] covariance) {
    int d = features;
    boolean square =
        covariance.length == d && Arrays.stream(covariance).allMatch(row -> row.length == d);
    if (!square) {
      throw unfit(name, "a " + d + " x " + d + " matrix", covariance);
    }
    double[] flat = Arrays.stream(covariance).flatMapToDouble(Arrays::stream).toArray();
    var exact = Backend.cpu(Precision.FLOAT64);
    try (var _ = new PointerScope()) {
      Tensor sigma = exact.tensor(flat, d, d);
      if (!sigma.equal(sigma.t())) {
        throw unfit(name, "a symmetric matrix", covariance);
      }
      var factor = torch.linalg_cholesky_ex(sigma);
      if (factor.get1().item_int() != 0) {
        throw unfit(name, "a positive definite matrix", covariance);
      }
      Tensor identity = torch.eye(d, exact.options());
      return Backend.doubles(torch.linalg_solve_triangular(factor.get0(), identity, false));
    }
  }

  private static IllegalArgumentException unfit(
      String name, String expected, double[][] covariance) {
    return new IllegalArgumentException(
        name + ": expected " + expected + ", got " + Arrays.deepToString(covariance));
  }

  /**
   * The lattice of paper section 4.1: K = n² equal round components with means on a square grid
   * over [-limit, limit]².
   */
  public static MixtureTarget lattice(Backend backend, int components, double limit, double std) {
    int side = (int) Math.round(Math.sqrt(components));
    if (side < 2 || side * side != components) {
      throw new IllegalArgumentException(
          "components: expected a square number from 4 on, got " + components);
    }
    requirePositive("limit", limit);
    requirePositive("std", std);
    double[] weights = new double[components];
    double[][] means = new double[components][];
    double[][][] covariances = new double[components][][];
    for (int k = 0; k < components; k++) {
      weights[k] = 1;
      means[k] = new double[] {grid(k / side, side, limit), grid(k % side, side, limit)};
      covariances[k] = new double[][] {{std * std, 0}, {0, std * std}};
    }
    return new MixtureTarget(backend, weights, means, covariances);
  }

  /**
   * The paper's lattices: standard deviation 1/4, neighbouring means 2 apart (K = 9: {-2,0,2}², K =
   * 16: {-3,-1,1,3}²).
   */
  public static MixtureTarget paper(Backend backend, int components) {
    return lattice(backend, components, Math.sqrt(components) - 1, 0.25);
  }

  /** N(0, I) in so many dimensions: one component, r_Z of a density model (appendix D). */
  public static MixtureTarget standardNormal(Backend backend, int features) {
    double[][] identity = new double[features][features];
    for (int i = 0; i < features; i++) {
      identity[i][i] = 1;
    }
    return new MixtureTarget(
        backend, new double[] {1}, new double[1][features], new double[][][] {identity});
  }

  /** Means of the components, {@code [K, d]}. */
  public Tensor means() {
    return means;
  }

  /** A_kᵀ of every component, {@code [K, d, d]}. */
  public Tensor whitening() {
    return whitening;
  }

  /** log w_k + log|det A_k| - d/2 log 2π, {@code [K]}. */
  public Tensor logFactors() {
    return logFactors;
  }

  @Override
  public Tensor logJoint(Observation x, Tensor z) {
    return logDensity(z);
  }

  public Tensor logDensity(Tensor z) {
    Shapes.require("z", z, Shapes.BATCH, features);
    Tensor difference = z.unsqueeze(0).sub(means.unsqueeze(1)); // [K, batch, d]
    Tensor e = torch.bmm(difference, whitening);
    Tensor exponent = e.mul(e).sum(-1).mul(Scalars.of(-0.5)); // [K, batch]
    return exponent.add(logFactors.unsqueeze(1)).logsumexp(0);
  }

  private static double grid(int i, int side, double limit) {
    return -limit + 2 * limit * i / (side - 1);
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + ": expected a positive number, got " + value);
    }
  }

  private void requireLength(String name, int length) {
    if (length != features) {
      throw new IllegalArgumentException(
          name + ": expected length " + features + ", got " + length);
    }
  }
}
