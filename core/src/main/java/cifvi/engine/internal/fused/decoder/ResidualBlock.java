package cifvi.engine.internal.fused.decoder;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.engine.internal.fused.pictures.Pictures;
import cifvi.engine.internal.fused.pictures.PixelRows;
import cifvi.engine.internal.fused.pictures.WideLanes;
import cifvi.nn.LargeDecoder;
import org.jspecify.annotations.Nullable;

/**
 * A residual block of a {@link LargeDecoder}. What it is given, hides and gives is saved; gradients
 * are in scratch memory.
 */
final class ResidualBlock {
  /** Where gradients are: in what the block gives and is given, and two to work with. */
  record Places(int out, int in, int hidden, int shortcut) {}

  private final PlainConv conv1;
  private final @Nullable PlainConv conv2; // of a block that keeps the size
  private final @Nullable DoublingConv doubling; // of one that doubles it
  private final Pictures in;
  private final Pictures hidden;
  final Pictures out;

  private final Pictures dIn;
  private final Pictures dHidden;
  private final Pictures dShortcut;
  private final Pictures dOut;

  /**
   * Makes the block.
   *
   * @param scratch used within a call only
   */
  ResidualBlock(
      LargeDecoder.Block block,
      Pictures in,
      Places gradients,
      Weights weights,
      Layout layout,
      Layout.Scratch scratch) {
    this.in = in;
    hidden = in.at(layout.rows(in.size()));
    conv1 = new PlainConv(block.conv1(), in.side(), weights, layout, scratch.branch());
    var shortcut = block.shortcut();
    if (shortcut == null) {
      conv2 = new PlainConv(block.conv2(), in.side(), weights, layout, scratch.branch());
      doubling = null;
      out = in.at(layout.rows(in.size()));
    } else {
      conv2 = null;
      doubling =
          new DoublingConv(block.conv2(), shortcut, in.side(), weights, layout, scratch.branch());
      int side = block.conv2().side(in.side());
      int channels = WideLanes.roundUp(Math.toIntExact(block.conv2().weight().size(1)));
      out = new Pictures(layout.rows(side * side * channels), side, channels);
    }
    dIn = in.at(gradients.in);
    dHidden = in.at(gradients.hidden);
    dShortcut = in.at(shortcut == null ? gradients.out : gradients.shortcut);
    dOut = out.at(gradients.out);
  }

  void forward(Tape tape) {
    conv1.forward(tape, in, hidden);
    if (doubling != null) {
      doubling.forward(tape, hidden, in, out);
    } else if (conv2 != null) {
      conv2.forward(tape, hidden, out);
      PixelRows.add(tape.values, in.at(), tape.values, out.at(), tape.rows * in.size());
    }
  }

  /** Writes the gradient in what the block was given. */
  void backward(Tape tape) {
    if (doubling != null) {
      doubling.backward(tape, hidden, in, dOut, dHidden, dShortcut);
    } else if (conv2 != null) {
      conv2.backward(tape, hidden, dOut, dHidden);
    }
    conv1.backward(tape, in, dHidden, dIn);
    PixelRows.add(tape.scratch, dShortcut.at(), tape.scratch, dIn.at(), tape.rows * in.size());
  }
}
