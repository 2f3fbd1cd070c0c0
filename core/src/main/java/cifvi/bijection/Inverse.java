package cifvi.bijection;

import org.bytedeco.pytorch.Tensor;

/** g⁻¹ as a bijection: an IAF is the inverse of a MAF. */
public record Inverse(Bijection g) implements Bijection {
  @Override
  public Mapped forward(Tensor w) {
    return g.inverse(w);
  }

  @Override
  public Mapped inverse(Tensor z) {
    return g.forward(z);
  }
}
