package cifvi.target;

import cifvi.distribution.Observation;
import org.bytedeco.pytorch.Tensor;

/**
 * log p(x, z), the joint density of data and latent variables: any differentiable function of z.
 */
@FunctionalInterface
public interface Target {
  /**
   * log p(x, z) for every row, a tensor {@code [batch]} of the caller's {@code PointerScope}; a
   * constant may be missing where x is fixed.
   */
  Tensor logJoint(Observation x, Tensor z);

  /**
   * Whether autograd finds second derivatives in z too, which Hamiltonian dynamics need: true of
   * libtorch operations.
   */
  default boolean twiceDifferentiable() {
    return true;
  }
}
