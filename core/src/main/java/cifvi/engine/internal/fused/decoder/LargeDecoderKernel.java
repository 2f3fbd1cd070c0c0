package cifvi.engine.internal.fused.decoder;

import cifvi.engine.internal.fused.kernel.Kernel;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.engine.internal.fused.pictures.Pictures;
import cifvi.engine.internal.fused.pictures.WideLanes;
import cifvi.nn.Images;
import cifvi.nn.LargeDecoder;
import java.util.ArrayList;
import java.util.List;

/**
 * log p(x, z) of the observed image, whose logits a {@link LargeDecoder} makes of z: linear map,
 * residual blocks, 1 x 1 convolution. Its pictures lie row after row of the batch, the channels of
 * a pixel side by side, where all else on the tape lies by column: a lane is a channel here.
 */
public final class LargeDecoderKernel implements Kernel {
  private final PictureStart start;
  private final List<ResidualBlock> blocks = new ArrayList<>();
  private final PointConv last;
  private final ImageScore score;
  private final Pictures dTop; // gradient in what the last block gave
  private final int dStart;

  public LargeDecoderKernel(
      LargeDecoder decoder, Layout.Var z, Planes planes, Weights weights, Layout layout) {
    var scratch = layout.kernelScratch();
    score = new ImageScore(z, planes, layout, scratch);
    last = new PointConv(decoder.last(), Images.SIDE, weights, layout, scratch);
    int given = Images.PIXELS / 4 * WideLanes.roundUp(decoder.channels() / 4); // to the last block
    int[] gradients = {scratch.rows(Images.PIXELS * last.channels()), scratch.rows(given)};
    int hidden = scratch.rows(given);
    int shortcut = scratch.rows(given);
    start = new PictureStart(decoder.initial(), z, weights, layout, scratch.branch());
    int behind = decoder.blocks().size();
    dStart = gradients[behind % 2];
    Pictures h = start.out;
    for (LargeDecoder.Block block : decoder.blocks()) {
      behind--;
      var places =
          new ResidualBlock.Places(
              gradients[behind % 2], gradients[(behind + 1) % 2], hidden, shortcut);
      blocks.add(new ResidualBlock(block, h, places, weights, layout, scratch));
      h = blocks.getLast().out;
    }
    dTop = h.at(gradients[0]);
  }

  @Override
  public void forward(Tape tape) {
    start.forward(tape);
    for (int i = 0; i < blocks.size(); i++) {
      blocks.get(i).forward(tape);
    }
    last.forward(tape, blocks.getLast().out, score.plane);
    score.forward(tape);
  }

  @Override
  public void backward(Tape tape) {
    last.addBias(tape, score.backward(tape));
    last.backward(tape, blocks.getLast().out, score.plane, dTop);
    for (int i = blocks.size() - 1; i >= 0; i--) {
      blocks.get(i).backward(tape);
    }
    start.backward(tape, dStart);
    score.backwardPrior(tape);
  }

  /** The path back from z does not look at p. */
  @Override
  public void inverse(Tape tape) {}
}
