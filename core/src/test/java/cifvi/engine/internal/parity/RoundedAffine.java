package cifvi.engine.internal.parity;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.Bijection;
import cifvi.bijection.Mapped;
import org.bytedeco.pytorch.Tensor;

/** Masked affine maps whose network rounds inside. */
record RoundedAffine(AffineAutoregressive g, RoundedNetworks networks) implements Bijection {
  @Override
  public Mapped forward(Tensor w) {
    Tensor outputs = networks.apply(g.made().mlp(), w); // all means, then all log-scales
    long d = g.made().features();
    Tensor logScale = outputs.narrow(-1, d, d);
    Tensor z = w.sub(outputs.narrow(-1, 0, d)).mul(logScale.neg().exp());
    return new Mapped(z, logScale.sum(-1).neg());
  }

  @Override
  public Mapped inverse(Tensor z) {
    return g.inverse(z);
  }
}
