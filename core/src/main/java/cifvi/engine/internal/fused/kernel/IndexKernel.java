package cifvi.engine.internal.fused.kernel;

import cifvi.engine.internal.fused.math.NormalRows;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;

/**
 * The index of a CIF layer: u ~ q(·|w), with log q(u|w) left for {@link AuxiliaryKernel} to take
 * from log r. Backwards through the flow u is known, and log q(u|w) - log r(u|z) is added.
 */
public record IndexKernel(Net q, Index index) implements Kernel {
  /** What the kernels of one CIF layer share: u, its noise and log-densities, and its stream. */
  public record Index(Layout.Var u, int noise, int logQ, int logR, int stream) {
    public static Index of(int size, int stream, Layout layout) {
      return new Index(
          layout.variable(size), layout.rows(size), layout.rows(1), layout.rows(1), stream);
    }

    /** Draws u from the normal that a network gives. */
    void draw(Tape tape, Net normal) {
      tape.normals(stream, u.size(), noise);
      NormalRows.draw(tape.values, normal.out(), noise, u, tape.padded);
    }
  }

  @Override
  public void forward(Tape tape) {
    q.forward(tape);
    index.draw(tape, q);
    NormalRows.logDensity(tape.values, q.out(), index.u, index.logQ, tape.padded);
  }

  @Override
  public void backward(Tape tape) {
    NormalRows.backwardDraw(tape, q.out(), index.noise, index.u);
    q.backward(tape);
  }

  @Override
  public void inverse(Tape tape) {
    q.forward(tape);
    NormalRows.logDensity(tape.values, q.out(), index.u, index.logQ, tape.padded);
    NormalRows.addDifference(tape, index.logQ, index.logR);
  }
}
