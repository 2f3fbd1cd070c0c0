package cifvi.engine.internal.fused.kernel;

import cifvi.engine.internal.fused.math.NormalRows;
import cifvi.engine.internal.fused.memory.Tape;

/**
 * The auxiliary density of a CIF layer: adds log r(u|z) - log q(u|w). Backwards through the flow u
 * is drawn from r.
 */
public final class AuxiliaryKernel implements Kernel {
  private final Net r;
  private final IndexKernel.Index index;

  public AuxiliaryKernel(Net r, IndexKernel.Index index) {
    this.r = r;
    this.index = index;
  }

  @Override
  public void forward(Tape tape) {
    r.forward(tape);
    NormalRows.logDensity(tape.values, r.out(), index.u(), index.logR(), tape.padded);
    NormalRows.addDifference(tape, index.logR(), index.logQ());
  }

  @Override
  public void backward(Tape tape) {
    NormalRows.backwardLogDensity(tape, r.out(), index.u());
    r.backward(tape);
  }

  @Override
  public void inverse(Tape tape) {
    r.forward(tape);
    tape.normals(index.stream(), index.u().size(), index.noise());
    NormalRows.draw(tape.values, r.out(), index.noise(), index.u(), tape.padded);
    NormalRows.logDensity(tape.values, r.out(), index.u(), index.logR(), tape.padded);
  }
}
