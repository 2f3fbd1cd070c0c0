package cifvi.bijection;

import cifvi.nn.Parameters;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/**
 * z = e^s w + t in every feature, log|det| = Σ s; starts as the identity. After a standard normal
 * it is a mean-field Gaussian with means t and standard deviations e^s.
 */
public final class ScaleShift implements Bijection {
  private final int features;
  private final Tensor logScale;
  private final Tensor shift;

  public ScaleShift(Parameters parameters, int features) {
    this.features = features;
    logScale = parameters.add("log_scale", parameters.backend().zeros(features));
    shift = parameters.add("shift", parameters.backend().zeros(features));
  }

  @Override
  public Mapped forward(Tensor w) {
    Shapes.require("w", w, Shapes.BATCH, features);
    return new Mapped(w.mul(logScale.exp()).add(shift), logScale.sum().expand(w.size(0)));
  }

  @Override
  public Mapped inverse(Tensor z) {
    Shapes.require("z", z, Shapes.BATCH, features);
    Tensor w = z.sub(shift).mul(logScale.neg().exp());
    return new Mapped(w, logScale.sum().neg().expand(z.size(0)));
  }

  /** s, {@code [features]}. */
  public Tensor logScale() {
    return logScale;
  }

  /** t, {@code [features]}. */
  public Tensor shift() {
    return shift;
  }
}
