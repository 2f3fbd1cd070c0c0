package cifvi.bijection;

import org.bytedeco.pytorch.Tensor;

/**
 * An invertible, differentiable map g of R^d, applied to every row of a batch.
 *
 * <p>Implementations guarantee {@code inverse(forward(w).value()).value() == w} up to rounding and
 * opposite log-determinants of the two directions. Neither direction changes anything, and both let
 * gradients through.
 */
public interface Bijection {
  /**
   * g(w) and log|det Dg(w)|, for w {@code [batch, d]}: tensors of the caller's {@code
   * PointerScope}.
   */
  Mapped forward(Tensor w);

  /**
   * g⁻¹(z) and log|det Dg⁻¹(z)|, for z {@code [batch, d]}: tensors of the caller's {@code
   * PointerScope}.
   */
  Mapped inverse(Tensor z);
}
