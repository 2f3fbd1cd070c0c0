package cifvi.engine.fused;

import cifvi.engine.plan.Piece;

/** A {@link Piece} of libtorch, from one variable of the tapes to another. */
record Segment(Piece piece, Layout.Var in, Layout.Var out) {
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
