package cifvi.distribution;

import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;

/** A batch of densities over vectors, one a row; rows are independent. */
public interface Distribution {
  /**
   * One draw from every row's density; differentiable in the parameters where the density allows
   * it.
   */
  Draw sample(Rng rng);

  /** The log-density of every row of v, {@code [batch]}. */
  Tensor logDensity(Tensor v);
}
