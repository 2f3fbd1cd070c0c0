package cifvi.nn;

import org.bytedeco.pytorch.Tensor;

/** A trainable function of a batch, {@code [batch, in]} to {@code [batch, out]}. */
@FunctionalInterface
public interface Network {
  Tensor apply(Tensor x);
}
