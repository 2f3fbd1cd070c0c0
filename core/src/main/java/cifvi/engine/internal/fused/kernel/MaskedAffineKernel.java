package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.bijection.AffineAutoregressive;
import cifvi.engine.internal.fused.math.AffineRows;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import java.util.Arrays;

/**
 * {@link AffineAutoregressive}: z = e^{-α} (w - μ), log|det| = -Σ α, with μ_i and α_i from a
 * network of w_{&lt;i}.
 */
public final class MaskedAffineKernel implements Kernel {
  private final Layout.Var in;
  private final MlpKernel made;
  private final AffineRows rows;

  public MaskedAffineKernel(AffineAutoregressive g, Layout.Var in, Weights weights, Layout layout) {
    this.in = in;
    made = new MlpKernel(g.made().mlp(), in, weights, layout);
    rows = new AffineRows(made.out(), -1, in, layout);
  }

  public Layout.Var out() {
    return rows.out();
  }

  @Override
  public void forward(Tape tape) {
    made.forward(tape);
    rows.forward(tape);
  }

  @Override
  public void backward(Tape tape) {
    rows.backward(tape);
    made.backward(tape);
  }

  /** Feature after feature, each hidden unit once: as soon as all it depends on is known. */
  @Override
  public void inverse(Tape tape) {
    Arrays.fill(tape.values, in.at(), in.at() + in.size() * STRIDE, 0);
    made.clear(tape);
    rows.start(tape);
    for (int i = 0; i < in.size(); i++) {
      made.hidden(tape, i);
      made.output(tape, i);
      made.output(tape, in.size() + i);
      rows.inverse(tape, i);
    }
    rows.finish(tape);
  }
}
