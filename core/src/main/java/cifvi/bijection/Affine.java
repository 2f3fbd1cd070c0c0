package cifvi.bijection;

import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/**
 * z = e^s (w + t), log|det| = Σ s: the outer part of G in eq. 6.
 *
 * @param s log-scales, {@code [batch, d]} or {@code [1, d]}
 * @param t shifts, of the same shape
 */
public record Affine(Tensor s, Tensor t) implements Bijection {
  @Override
  public Mapped forward(Tensor w) {
    requireFit("w", w);
    return new Mapped(w.add(t).mul(s.exp()), s.sum(-1).expand(w.size(0)));
  }

  @Override
  public Mapped inverse(Tensor z) {
    requireFit("z", z);
    return new Mapped(z.mul(s.neg().exp()).sub(t), s.sum(-1).neg().expand(z.size(0)));
  }

  private void requireFit(String name, Tensor v) {
    Shapes.require(name, v, Shapes.batchOf(s), s.size(1));
  }
}
