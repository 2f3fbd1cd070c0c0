package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.graph.kernel.DecoderWeights.Prepared;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.nn.FlatParameters;
import cifvi.nn.LargeDecoder.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** A block of the large decoder: two convolutions forward and two back. */
final class DecoderBlock {
  private final Block block;
  private final DecoderConvolution conv1;
  private final DecoderConvolution conv2;
  private final @Nullable Back back;

  /** The way back, which needs the other order of all weights. */
  private record Back(DecoderConvolution conv1, DecoderConvolution conv2) {}

  /** What a block makes and leaves for the way back. */
  record Planes(Tensor hidden, Tensor out) {}

  /** Gradients of its hidden planes, and of what it was given by way of its shortcut. */
  record Gradients(Tensor dHidden, @Nullable Tensor dShortcut) {}

  DecoderBlock(
      Block block, int side, FlatParameters flat, DecoderWeights weights, boolean training) {
    this.block = block;
    Convolution first = Convolution.of(block.conv1(), side, true, flat);
    List<Convolution> second =
        new ArrayList<>(List.of(Convolution.of(block.conv2(), side, false, flat)));
    if (block.shortcut() != null) {
      second.add(Convolution.of(block.shortcut(), side, false, flat));
    }
    boolean same = block.shortcut() == null;
    conv1 = DecoderConvolution.of(List.of(first), true, weights);
    conv2 = DecoderConvolution.of(second, same, weights);
    back =
        training
            ? new Back(
                DecoderConvolution.of(List.of(first), false, weights),
                DecoderConvolution.of(second, !same, weights))
            : null;
  }

  /** Numbers of an image of the hidden planes, as many as it was given. */
  int hiddenSize() {
    return conv1.size();
  }

  int outSize() {
    return conv2.size();
  }

  Planes planes(int rows, DeviceMemory memory) {
    return new Planes(
        memory.floats((long) rows * hiddenSize()), memory.floats((long) rows * outSize()));
  }

  Gradients gradients(int rows, DeviceMemory memory) {
    long size = (long) rows * hiddenSize();
    return new Gradients(
        memory.floats(size), block.shortcut() == null ? null : memory.floats(size));
  }

  List<DecoderConvolution.Call> forward(Prepared w, Tensor h, Planes planes) {
    return List.of(
        conv1.hidden(w, h, block.conv1(), planes.hidden),
        block.shortcut() == null
            ? conv2.onto(w, planes.hidden, block.conv2(), h, planes.out)
            : conv2.onto(w, planes.hidden, block.conv2(), h, block.shortcut(), planes.out));
  }

  /**
   * Says what its convolutions saw and were given back, the last one first.
   *
   * @param dh where the gradient of what it was given goes
   */
  List<DecoderConvolution.Call> backward(
      Prepared w, Tensor h, Planes planes, Tensor dy, Gradients to, Tensor dh, Seen seen) {
    Back ways = Objects.requireNonNull(back);
    seen.add(planes.hidden, dy);
    seen.add(h, to.dHidden);
    if (block.shortcut() != null) {
      seen.add(h, dy);
    }
    Tensor residual = to.dShortcut == null ? dy : to.dShortcut;
    return List.of(
        ways.conv2.back(w, dy, planes.hidden, null, to.dHidden, to.dShortcut),
        ways.conv1.back(w, to.dHidden, h, residual, dh, null));
  }

  /** What convolutions saw, and the gradients of what they gave. */
  record Seen(List<Tensor> x, List<Tensor> dy) {
    void add(Tensor x, Tensor dy) {
      this.x.add(x);
      this.dy.add(dy);
    }
  }
}
