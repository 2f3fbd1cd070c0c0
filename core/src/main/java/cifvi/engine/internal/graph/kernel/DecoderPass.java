package cifvi.engine.internal.graph.kernel;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.engine.internal.graph.program.Program;
import cifvi.nn.Conv;
import cifvi.nn.FlatParameters;
import cifvi.nn.LargeDecoder;
import cifvi.nn.LargeDecoder.Block;
import cifvi.nn.Linear;
import cifvi.target.BernoulliImageModel;
import cifvi.tensor.Scalars;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Takes a batch through the large decoder, forward and backward: libtorch has the convolutions and
 * the gradients of what they saw, {@link ConvolutionKernels} those of their weights, all at once.
 */
public final class DecoderPass {
  /** What the backward pass needs. */
  public record Live(Tensor x, List<Block.Pass> blocks, Tensor seen, Tensor logits) {}

  private final Program.Decoder segment;
  private final TapeView tape;
  private final @Nullable ConvolutionKernels kernels;

  /** For {@link #forward} and, where it is to {@code training}, {@link #backward}. */
  public DecoderPass(
      Program.Decoder segment,
      Launcher launcher,
      FlatParameters flat,
      TapeView tape,
      DeviceMemory memory,
      boolean training) {
    this.segment = segment;
    this.tape = tape;
    var all = convolutions(segment.decoder(), flat);
    kernels = training ? new ConvolutionKernels(launcher, flat, all, tape.rows(), memory) : null;
  }

  /** The last comes first, as in the backward pass. */
  public static List<Convolution> convolutions(LargeDecoder decoder, FlatParameters flat) {
    List<Convolution> all = new ArrayList<>();
    int side = LargeDecoder.START;
    for (Block block : decoder.blocks()) {
      if (block.shortcut() != null) {
        all.add(Convolution.of(block.shortcut(), side, flat));
      }
      all.add(Convolution.of(block.conv1(), side, flat));
      all.add(Convolution.of(block.conv2(), side, flat));
      side = block.conv2().side(side);
    }
    all.add(Convolution.of(decoder.last(), side, flat));
    Collections.reverse(all);
    return all;
  }

  /** Writes log p(x, z) of the z on the tape to it. */
  public Live forward(Observation observation) {
    try (var _ = new NoGradGuard()) {
      LargeDecoder decoder = segment.decoder();
      Tensor z = tape.value(segment.z());
      Tensor x = BernoulliImageModel.images(observation);
      Tensor h = decoder.start(z);
      List<Block.Pass> blocks = new ArrayList<>();
      for (Block block : decoder.blocks()) {
        blocks.add(block.apply(h));
        h = blocks.getLast().out();
      }
      Tensor seen = h.relu();
      Tensor logits = decoder.last().apply(seen);
      tape.value(segment.out()).copy_(segment.target().logJoint(x, z, logits).unsqueeze(1));
      return new Live(x, blocks, seen, logits);
    }
  }

  /**
   * What the convolutions saw, and the gradients of what they gave, in the order of the backward
   * pass.
   */
  private record Seen(List<Tensor> x, List<Tensor> dy) {
    Tensor back(Conv conv, Tensor x, Tensor dy) {
      this.x.add(x);
      this.dy.add(dy);
      return conv.inputGradient(x, dy);
    }

    /** The same where x is relu(h): the gradient of h. */
    Tensor backToRelu(Conv conv, Tensor x, Tensor dy) {
      return torch.threshold_backward(back(conv, x, dy), x, Scalars.of(0));
    }
  }

  /**
   * From the gradient of log p(x, z) on the tape to that of z: gradients of parameters are added to
   * the model's own buffer.
   */
  public void backward(Live live) {
    try (var _ = new NoGradGuard()) {
      LargeDecoder decoder = segment.decoder();
      Tensor d = tape.gradient(segment.out());
      Tensor z = tape.value(segment.z());
      var seen = new Seen(new ArrayList<>(), new ArrayList<>());
      // d log p(x|z) / d logits = x - σ(logits)
      Tensor dLogits = live.x.sub(live.logits.sigmoid()).mul(d.view(-1, 1, 1, 1));
      Tensor dh = seen.backToRelu(decoder.last(), live.seen, dLogits);
      for (int i = live.blocks.size() - 1; i >= 0; i--) {
        dh = backward(decoder.blocks().get(i), live.blocks.get(i), dh, seen);
      }
      Objects.requireNonNull(kernels).add(seen.x, seen.dy);
      // d log N(z; 0, I) / dz = -z
      Tensor dz = backward(decoder.initial(), z, dh.flatten(1, -1)).sub(z.mul(d));
      tape.gradient(segment.z()).copy_(dz);
    }
  }

  private static Tensor backward(Block block, Block.Pass pass, Tensor dy, Seen seen) {
    Tensor dHidden = seen.backToRelu(block.conv2(), pass.hidden(), dy);
    Tensor dh = seen.backToRelu(block.conv1(), pass.seen(), dHidden);
    return dh.add(block.shortcut() == null ? dy : seen.back(block.shortcut(), pass.h(), dy));
  }

  private static Tensor backward(Linear linear, Tensor x, Tensor dy) {
    linear.weight().grad().addmm_(dy.t(), x);
    linear.bias().grad().add_(dy.sum(0));
    return dy.mm(linear.weight());
  }
}
