package cifvi.posterior;

import cifvi.bijection.Bijection;
import cifvi.bijection.Mapped;
import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** z = g(w), a plain bijection as a layer: its log-weight is log|det Dg(w)| (eqs. 10, 11). */
public record FlowLayer(Bijection g) implements Layer {
  @Override
  public Step forward(Tensor w, Observation x, Rng rng) {
    return step(g.forward(w));
  }

  @Override
  public Step backward(Tensor z, Observation x, Rng rng) {
    return step(g.inverse(z));
  }

  @Override
  public Step inverse(Tensor z, @Nullable Tensor u, Observation x) {
    return step(g.inverse(z));
  }

  @Override
  public boolean indexed() {
    return false;
  }

  private static Step step(Mapped mapped) {
    return new Step(mapped.value(), mapped.logDet(), null);
  }
}
