package cifvi.engine.internal.fused.kernel;

import cifvi.engine.internal.fused.math.AffineRows;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;

/** The affine part of G(w; u), {@link cifvi.bijection.Affine} with t and s from a network of u. */
public final class AffineKernel implements Kernel {
  private final Net st;
  private final AffineRows rows;
  private final int features;

  public AffineKernel(Net st, Layout.Var in, Layout layout) {
    this.st = st;
    rows = new AffineRows(st.out(), 1, in, layout);
    features = in.size();
  }

  public Layout.Var out() {
    return rows.out();
  }

  @Override
  public void forward(Tape tape) {
    st.forward(tape);
    rows.forward(tape);
  }

  @Override
  public void backward(Tape tape) {
    rows.backward(tape);
    st.backward(tape);
  }

  @Override
  public void inverse(Tape tape) {
    st.forward(tape);
    rows.start(tape);
    for (int c = 0; c < features; c++) {
      rows.inverse(tape, c);
    }
    rows.finish(tape);
  }
}
