package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.bijection.AffineAutoregressive;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import java.util.Arrays;

/**
 * {@link AffineAutoregressive}: z = e^{-α} (w - μ), log|det| = -Σ α, with μ_i and α_i from a
 * network of w_{&lt;i}.
 */
public final class MaskedAffineKernel extends AffineKernel {
  private final MlpKernel made;

  public MaskedAffineKernel(AffineAutoregressive g, Layout.Var in, Weights weights, Layout layout) {
    this(new MlpKernel(g.made().mlp(), in, weights, layout), in, layout);
  }

  private MaskedAffineKernel(MlpKernel made, Layout.Var in, Layout layout) {
    super(made, -1, in, layout);
    this.made = made;
  }

  /** Feature after feature, each hidden unit once: as soon as all it depends on is known. */
  @Override
  void network(Tape tape, int feature) {
    if (feature == 0) {
      Arrays.fill(tape.values, in.at(), in.at() + in.size() * STRIDE, 0);
      made.clear(tape);
    }
    made.hidden(tape, feature);
    made.output(tape, feature);
    made.output(tape, in.size() + feature);
  }
}
