package cifvi.posterior;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

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

  /** The w of {@link #backward} alone, of the caller's {@code PointerScope}. */
  default Tensor generate(Tensor z, Observation x, Rng rng) {
    return backward(z, x, rng).w();
  }

  /**
   * From z back to w, tensors of the caller's {@code PointerScope}, with the index that {@link
   * #forward} drew, adding log q(u|w) + log|det DG⁻¹|.
   *
   * <p>Path gradients alone ask for it: a layer that is never trained by them can do without.
   *
   * @param u null where the layer has none
   */
  default Step inverse(Tensor z, @Nullable Tensor u, Observation x) {
    throw new UnsupportedOperationException(
        getClass().getName() + " has no inverse(z, u, x), which path gradients need");
  }

  /**
   * log r(u|z, x) of the index that {@link #forward} drew, a tensor {@code [batch]} of the caller's
   * {@code PointerScope}.
   *
   * <p>Doubly reparametrised gradients alone ask for it, and only where the layer has an index.
   */
  default Tensor logR(Tensor z, Tensor u, Observation x) {
    throw new UnsupportedOperationException(
        getClass().getName() + " has no logR(z, u, x), which doubly reparametrised gradients need");
  }

  /**
   * Whether the layer draws an index, so that q(z) is known through its joint density with u only.
   */
  boolean indexed();
}
