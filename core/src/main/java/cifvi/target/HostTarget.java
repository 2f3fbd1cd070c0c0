package cifvi.target;

import cifvi.distribution.Observation;
import cifvi.tensor.Backend;
import org.bytedeco.pytorch.Tensor;

/**
 * A density whose values and gradients are plain Java numbers.
 *
 * <p>With g = ∂ log p/∂z known, log p(z) enters as the number log p + g · (z - z₀) at z₀ = z: the
 * value is exactly log p, and autograd finds g.
 */
public final class HostTarget implements Target {
  /** Values and gradients of many points at once. */
  @FunctionalInterface
  public interface Densities {
    /**
     * Fills in log p and its gradient at every row of z.
     *
     * @param z row-major, {@code [logP.length, d]}
     * @param gradients of the shape of z; null where nobody asks for them
     */
    void evaluate(
        double[] z, double[] logP, double @org.jspecify.annotations.Nullable [] gradients);
  }

  private final Backend backend;
  private final Densities densities;

  public HostTarget(Backend backend, Densities densities) {
    this.backend = backend;
    this.densities = densities;
  }

  /** What gives the numbers. */
  public Densities densities() {
    return densities;
  }

  /** Its gradient is given as numbers, of which autograd knows no derivative. */
  @Override
  public boolean twiceDifferentiable() {
    return false;
  }

  @Override
  public Tensor logJoint(Observation x, Tensor z) {
    double[] points = Backend.doubles(z);
    double[] logP = new double[Math.toIntExact(z.size(0))];
    if (!z.requires_grad()) {
      densities.evaluate(points, logP, null);
      return backend.tensor(logP, logP.length);
    }
    double[] gradients = new double[points.length];
    densities.evaluate(points, logP, gradients);
    Tensor slope = backend.tensor(gradients, z.shape());
    return z.sub(z.detach()).mul(slope).sum(1).add(backend.tensor(logP, logP.length));
  }
}
