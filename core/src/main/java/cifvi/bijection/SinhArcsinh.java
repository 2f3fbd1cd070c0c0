package cifvi.bijection;

import cifvi.nn.Parameters;
import cifvi.tensor.Scalars;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/**
 * The sinh-arcsinh map (Jones &amp; Pewsey, 2009) of every feature: z = sinh(δ arsinh(w) - ε),
 * where ε skews and δ = e^{log_tail} makes tails light (δ &lt; 1) or heavy. It begins as the
 * identity.
 *
 * <pre>
 *   log|det| = Σ log δ + ½ log(1 + z²) - ½ log(1 + w²)
 * </pre>
 */
public final class SinhArcsinh implements Bijection {
  private final int features;
  private final Tensor skew;
  private final Tensor logTail;

  public SinhArcsinh(Parameters parameters, int features) {
    this.features = features;
    skew = parameters.add("skew", parameters.backend().zeros(features));
    logTail = parameters.add("log_tail", parameters.backend().zeros(features));
  }

  @Override
  public Mapped forward(Tensor w) {
    Shapes.require("w", w, Shapes.BATCH, features);
    Tensor z = w.asinh().mul(logTail.exp()).sub(skew).sinh();
    return new Mapped(z, logDet(w, z));
  }

  @Override
  public Mapped inverse(Tensor z) {
    Shapes.require("z", z, Shapes.BATCH, features);
    Tensor w = z.asinh().add(skew).mul(logTail.neg().exp()).sinh();
    return new Mapped(w, logDet(w, z).neg());
  }

  private Tensor logDet(Tensor w, Tensor z) {
    Tensor slopes = z.square().log1p().sub(w.square().log1p()).mul(Scalars.of(0.5));
    return slopes.add(logTail).sum(-1);
  }

  /** ε, {@code [features]}. */
  public Tensor skew() {
    return skew;
  }

  /** log δ, {@code [features]}. */
  public Tensor logTail() {
    return logTail;
  }
}
