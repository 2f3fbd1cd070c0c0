package cifvi.posterior;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;

/** (w, log-weight) → (z, log-weight + δ): one layer of a posterior, and the way back. */
public interface Layer {
  /**
   * From w to the next w', tensors of the caller's {@code PointerScope}, adding log r(u|w') - log
   * q(u|w) + log|det DG| to the log-weight; u is drawn from q.
   *
   * @param x data that r may look at
   */
  Step forward(Tensor w, Observation x, Rng rng);

  /**
   * From z back to w, tensors of the caller's {@code PointerScope}, adding log q(u|w) - log r(u|z)
   * + log|det DG⁻¹|; u is drawn from r.
   */
  Step backward(Tensor z, Observation x, Rng rng);

  /**
   * Whether the layer draws an index, so that q(z) is known through its joint density with u only.
   */
  boolean indexed();
}
