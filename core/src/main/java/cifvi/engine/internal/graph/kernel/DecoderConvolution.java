package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.kernel.DecoderWeights.Prepared;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.nn.Conv;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions that are one sum, or the gradients of what they saw; by {@code
 * decoder_convolution.cu} for a whole batch.
 *
 * @param channels of each input
 * @param outputs of each output
 * @param both whether there are two outputs
 * @param place of the weights among those of all
 */
record DecoderConvolution(
    ConvolutionShape shape, int channels, int outputs, boolean both, int place) {
  /** From Q to P or from P to Q, see {@link DecoderWeights#add}. */
  static DecoderConvolution of(
      List<Convolution> convolutions, boolean toP, DecoderWeights weights) {
    Convolution any = convolutions.getFirst();
    return new DecoderConvolution(
        DecoderWeights.shape(any, toP),
        toP ? any.channelsQ() : any.channelsP(),
        toP ? any.channelsP() : any.channelsQ(),
        toP && convolutions.size() > 1,
        weights.add(convolutions, toP));
  }

  /** Numbers of an image of an output. */
  int size() {
    return outputs * shape.out() * shape.out();
  }

  /**
   * With what it reads and writes.
   *
   * @param relu whether it is the relu of x that it sees, and of y that it gives
   * @param tensors as {@code ConvolutionTensors} has them
   */
  record Call(DecoderConvolution convolution, boolean relu, List<@Nullable Tensor> tensors) {
    private static final int Y = 7;

    /** For a kernel that does not write y. */
    Call withoutOutput() {
      List<@Nullable Tensor> others = new ArrayList<>(tensors);
      others.set(Y, null);
      return new Call(convolution, relu, others);
    }
  }

  /** Channels of all outputs. */
  int allOutputs() {
    return both ? 2 * outputs : outputs;
  }

  /** y = relu(b + Σ w * relu(x)). */
  Call hidden(Prepared w, Tensor x, Conv conv, Tensor y) {
    return call(w, true, x, null, conv.bias(), null, null, null, y, null);
  }

  /** y = b + Σ w * x + residual. */
  Call onto(Prepared w, Tensor x, Conv conv, Tensor residual, Tensor y) {
    return call(w, false, x, null, conv.bias(), null, null, residual, y, null);
  }

  /** The same where the residual is a convolution too, of {@code h}. */
  Call onto(Prepared w, Tensor x, Conv conv, Tensor h, Conv shortcut, Tensor y) {
    return call(w, false, x, h, conv.bias(), shortcut.bias(), null, null, y, null);
  }

  /** dx = [seen > 0] Σ w * dy + residual; what a second convolution gives goes to {@code other}. */
  Call back(
      Prepared w,
      Tensor dy,
      Tensor seen,
      @Nullable Tensor residual,
      Tensor dx,
      @Nullable Tensor other) {
    return call(w, false, dy, null, null, null, seen, residual, dx, other);
  }

  private Call call(
      Prepared w,
      boolean relu,
      Tensor x,
      @Nullable Tensor second,
      @Nullable Tensor bias,
      @Nullable Tensor secondBias,
      @Nullable Tensor mask,
      @Nullable Tensor residual,
      Tensor y,
      @Nullable Tensor other) {
    return new Call(
        this,
        relu,
        Arrays.asList(x, second, w.from(place), bias, secondBias, mask, residual, y, other));
  }

  /** For the whole batch. */
  void run(Launcher launcher, int rows, Call call) {
    var limits = launcher.limits();
    ConvolutionShape.Cut cut = shape.cut(rows, allOutputs(), channels, limits);
    int staged = shape.staged(cut, channels, limits);
    int relu = call.relu() ? 1 : 0;
    launcher.launch(
        "convolve_planes",
        shape.blocks(cut, rows, allOutputs()),
        cut.threads(),
        shape.bytes(cut, staged),
        shape.in(),
        shape.out(),
        call.tensors(),
        rows,
        channels,
        outputs,
        relu,
        cut.across(),
        cut.groups(),
        cut.slices(),
        staged);
  }
}
