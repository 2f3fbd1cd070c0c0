package cifvi.nn;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The large residual decoder of the neural spline flow paper: linear to 8m x 4 x 4, then residual
 * blocks that keep the size and blocks that double it (4 → 7 → 14 → 28) while halving the channels,
 * relu, 1x1 convolution.
 */
public final class LargeDecoder implements Network {
  /** The side of the pictures that the linear start gives. */
  public static final int START = 4;

  /** shortcut(h) + conv2(relu(conv1(relu(h)))); without a shortcut of its own, h itself. */
  public record Block(Conv conv1, Conv conv2, @Nullable Conv shortcut) {
    static Block same(Parameters parameters, long channels) {
      return new Block(
          Conv.plain(parameters.in("conv1"), channels, channels, 3, 1, 1),
          Conv.plain(parameters.in("conv2"), channels, channels, 3, 1, 1),
          null);
    }

    static Block up(Parameters parameters, long channels, int outputPadding) {
      return new Block(
          Conv.plain(parameters.in("conv1"), channels, channels, 3, 1, 1),
          Conv.transposed(parameters.in("conv2"), channels, channels / 2, 3, 2, 1, outputPadding),
          Conv.transposed(
              parameters.in("shortcut"), channels, channels / 2, 3, 2, 1, outputPadding));
    }

    Tensor apply(Tensor h) {
      Tensor kept = shortcut == null ? h : shortcut.apply(h);
      return kept.add(conv2.apply(conv1.apply(h.relu()).relu()));
    }
  }

  private final long channels;
  private final Linear initial;
  private final List<Block> blocks;
  private final Conv last;

  /** The paper's multiplier is 16: 128 channels at the start. */
  public LargeDecoder(Parameters parameters, int features, int multiplier) {
    channels = 8L * multiplier;
    initial = new Linear(parameters.in("initial"), features, channels * START * START);
    blocks =
        List.of(
            Block.same(parameters.in("block0"), channels),
            Block.up(parameters.in("block1"), channels, 0),
            Block.same(parameters.in("block2"), channels / 2),
            Block.up(parameters.in("block3"), channels / 2, 1),
            Block.same(parameters.in("block4"), channels / 4),
            Block.up(parameters.in("block5"), channels / 4, 1));
    last = Conv.plain(parameters.in("final"), multiplier, 1, 1, 1, 0);
  }

  /** {@code [batch, features]} to logits {@code [batch, 1, 28, 28]}. */
  @Override
  public Tensor apply(Tensor z) {
    return last.apply(stages(z).getLast().relu());
  }

  /** The linear start and the output of every block, for looking inside. */
  public List<Tensor> stages(Tensor z) {
    var stages = new ArrayList<Tensor>();
    stages.add(start(z));
    for (Block block : blocks) {
      stages.add(block.apply(stages.getLast()));
    }
    return stages;
  }

  /** The linear start, {@code [batch, 8m, 4, 4]}. */
  public Tensor start(Tensor z) {
    return initial.apply(z).view(-1, channels, START, START);
  }

  /** Of the linear start. */
  public int channels() {
    return Math.toIntExact(channels);
  }

  /** The linear map of the start. */
  public Linear initial() {
    return initial;
  }

  public List<Block> blocks() {
    return blocks;
  }

  /** The 1x1 convolution at the end, which sees the relu of the last block. */
  public Conv last() {
    return last;
  }
}
