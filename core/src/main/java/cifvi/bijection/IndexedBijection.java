package cifvi.bijection;

import cifvi.nn.Network;
import org.bytedeco.pytorch.Tensor;

/**
 * G(w; u) = e^{s(u)} (g(w) + t(u)), eq. 6: a bijection for every value of the index u.
 *
 * <p>With g the identity this is the affine alone, which the released code puts before the flow's
 * own bijection.
 *
 * @param st the network of t and s: {@code [batch, index]} to {@code [batch, 2d]}, shifts t first,
 *     then log-scales s
 */
public record IndexedBijection(Bijection g, Network st) {
  /** G(·; u). */
  public Bijection at(Tensor u) {
    Affine affine = affine(u);
    return g.equals(Chain.IDENTITY) ? affine : Chain.of(g, affine);
  }

  /** The outer affine map at u. */
  public Affine affine(Tensor u) {
    Tensor ts = st.apply(u);
    if (ts.size(-1) % 2 != 0) {
      throw new IllegalArgumentException(
          "st: expected as many log-scales as shifts, got an odd number of outputs, "
              + ts.size(-1));
    }
    long d = ts.size(-1) / 2;
    return new Affine(ts.narrow(-1, d, d), ts.narrow(-1, 0, d));
  }
}
