package cifvi.nn;

import org.bytedeco.pytorch.Tensor;

/** A trainable function of a batch, {@code [batch, in]} to {@code [batch, out]}. */
@FunctionalInterface
public interface Network {
  /** The value at x, a tensor of the caller's {@code PointerScope}. */
  Tensor apply(Tensor x);
}
