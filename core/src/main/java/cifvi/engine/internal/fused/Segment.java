package cifvi.engine.internal.fused;

import cifvi.engine.internal.fused.kernel.Net;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.plan.Piece;

/** A {@link Piece} of libtorch, from one variable of the tapes to another. */
public record Segment(Piece piece, Layout.Var in, Layout.Var out) {
  /** The variable as a network that was there before: its segment has run. */
  Net asNet() {
    return new Given(out);
  }

  private record Given(Layout.Var out) implements Net {
    @Override
    public void forward(Tape tape) {}

    @Override
    public void backward(Tape tape) {}
  }
}
