package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.memory.Lanes;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;

/**
 * The encoder of the observed image where adjacent rows show the same one: it runs once for every
 * image of a block, and each row gets what its image gave. There is no backward pass.
 *
 * @param encoder of the image that networks make for themselves
 */
public record SharedEncoder(ConvEncoderKernel encoder, Planes planes) implements Net {
  @Override
  public Layout.Var out() {
    return encoder.out();
  }

  @Override
  public void forward(Tape tape) {
    planes.gather(tape);
    int padded = tape.padded;
    tape.padded = Lanes.roundUp(tape.images());
    encoder.forward(tape);
    tape.padded = padded;
    for (int c = 0; c < out().size(); c++) {
      int column = out().at() + c * STRIDE;
      for (int i = padded - 1; i >= 0; i--) { // backwards: no row has a later one's image
        tape.values[column + i] = tape.values[column + tape.image[i]];
      }
    }
  }

  @Override
  public void backward(Tape tape) {
    throw new IllegalStateException("a shared encoder has no backward pass");
  }
}
