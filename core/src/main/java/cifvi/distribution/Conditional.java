package cifvi.distribution;

import org.bytedeco.pytorch.Tensor;

/** A conditional density such as q(u|w) or r(u|z, x). */
@FunctionalInterface
public interface Conditional {
  /** The density at w {@code [batch, d]} and, if it looks at the data, x. */
  Distribution given(Tensor w, Observation x);
}
