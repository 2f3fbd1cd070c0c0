package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.nn.Conv;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions that are run at once, or the gradients of what they saw, by {@code
 * decoder_convolution.cu}.
 *
 * @param channels of each input
 * @param outputs of each output
 * @param both whether there are two outputs
 * @param place of the weights among those of all
 */
record DecoderConvolution(
    ConvolutionShape shape, int channels, int outputs, boolean both, int place, Launcher launcher) {
  /** From Q to P or from P to Q, see {@link DecoderWeights#add}. */
  static DecoderConvolution of(
      List<Convolution> convolutions, boolean toP, DecoderWeights weights, Launcher launcher) {
    Convolution any = convolutions.getFirst();
    return new DecoderConvolution(
        DecoderWeights.shape(any, toP),
        toP ? any.channelsQ() : any.channelsP(),
        toP ? any.channelsP() : any.channelsQ(),
        toP && convolutions.size() > 1,
        weights.add(convolutions, toP),
        launcher);
  }

  /** Numbers of an image of an output. */
  int size() {
    return outputs * shape.out() * shape.out();
  }

  /** y = relu(b + Σ w * relu(x)). */
  void hidden(Weights w, Tensor x, Conv conv, Tensor y) {
    run(w, true, true, x, null, conv.bias(), null, null, null, y, null);
  }

  /** y = b + Σ w * x + residual. */
  void onto(Weights w, Tensor x, Conv conv, Tensor residual, Tensor y) {
    run(w, false, false, x, null, conv.bias(), null, null, residual, y, null);
  }

  /** The same where the residual is a convolution too, of {@code h}. */
  void onto(Weights w, Tensor x, Conv conv, Tensor h, Conv shortcut, Tensor y) {
    run(w, false, false, x, h, conv.bias(), shortcut.bias(), null, null, y, null);
  }

  /** dx = [seen > 0] Σ w * dy + residual; what a second convolution gives goes to {@code other}. */
  void back(
      Weights w,
      Tensor dy,
      Tensor seen,
      @Nullable Tensor residual,
      Tensor dx,
      @Nullable Tensor other) {
    run(w, false, false, dy, null, null, null, seen, residual, dx, other);
  }

  /** Prepared for so many rows. */
  record Weights(DecoderWeights.Prepared prepared, int rows) {}

  private void run(
      Weights w,
      boolean reluBefore,
      boolean reluAfter,
      Tensor x,
      @Nullable Tensor second,
      @Nullable Tensor bias,
      @Nullable Tensor secondBias,
      @Nullable Tensor mask,
      @Nullable Tensor residual,
      Tensor y,
      @Nullable Tensor other) {
    int all = both ? 2 * outputs : outputs;
    var limits = launcher.limits();
    ConvolutionShape.Cut cut = shape.cut(w.rows, all, channels, limits);
    int staged = shape.staged(cut, channels, limits);
    Tensor own = w.prepared.from(place);
    List<@Nullable Tensor> tensors =
        Arrays.asList(x, second, own, bias, secondBias, mask, residual, y, other);
    launcher.launch(
        "convolve_planes",
        shape.blocks(cut, w.rows, all),
        cut.threads(),
        shape.bytes(cut, staged),
        shape.in(),
        shape.out(),
        tensors,
        w.rows,
        channels,
        outputs,
        reluBefore ? 1 : 0,
        reluAfter ? 1 : 0,
        cut.across(),
        cut.groups(),
        cut.slices(),
        staged);
  }
}
