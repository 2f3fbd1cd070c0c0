package cifvi.distribution;

import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;

/** A batch of densities over vectors, one a row; rows are independent. */
public interface Distribution {
  /**
   * One draw from every row's density, tensors of the caller's {@code PointerScope}; differentiable
   * in the parameters where the density allows it.
   */
  Draw sample(Rng rng);

  /** The log-density of every row of v, a tensor {@code [batch]} of the caller's scope. */
  Tensor logDensity(Tensor v);
}
