package cifvi.engine.internal.fused.kernel;

import cifvi.engine.internal.fused.math.NormalRows;
import cifvi.engine.internal.fused.memory.Tape;

/**
 * The auxiliary density of a CIF layer: adds log r(u|z) - log q(u|w). Backwards through the flow u
 * is drawn from r.
 */
public record AuxiliaryKernel(Net r, IndexKernel.Index index) implements Kernel {
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
    index.draw(tape, r);
    NormalRows.logDensity(tape.values, r.out(), index.u(), index.logR(), tape.padded);
  }
}
