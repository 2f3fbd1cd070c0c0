package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.memory.Lanes;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Passes;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import java.util.Arrays;

/**
 * The encoder of the observed image where adjacent rows show the same one: it runs once for every
 * image of a block, and each row gets what its image gave. The gradient of that is the sum over
 * these rows.
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
    once(tape, encoder::forward);
    for (int c = 0; c < out().size(); c++) {
      int column = out().at() + c * STRIDE;
      for (int i = tape.padded - 1; i >= 0; i--) { // backwards: no row has a later one's image
        tape.values[column + i] = tape.values[column + tape.image[i]];
      }
    }
  }

  @Override
  public void backward(Tape tape) {
    for (int c = 0; c < out().size(); c++) {
      sum(tape, out().gradient() + c * STRIDE);
    }
    once(tape, encoder::backward);
  }

  /** Puts the sum over the rows of each image where its image is, which is no later row. */
  private static void sum(Tape tape, int column) {
    float[] g = tape.gradients;
    for (int i = 0; i < tape.rows; i++) {
      int to = column + tape.image[i];
      boolean first = i == 0 || tape.image[i] != tape.image[i - 1];
      g[to] = first ? g[column + i] : g[to] + g[column + i];
    }
    int images = tape.images();
    Arrays.fill(g, column + images, column + Lanes.roundUp(images), 0);
  }

  /** For every image of the block. */
  private void once(Tape tape, Passes.Pass pass) {
    planes.gather(tape);
    int padded = tape.padded;
    tape.padded = Lanes.roundUp(tape.images());
    pass.run(tape);
    tape.padded = padded;
  }
}
