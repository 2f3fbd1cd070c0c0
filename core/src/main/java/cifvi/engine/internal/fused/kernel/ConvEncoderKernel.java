package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.math.StridedConv;
import cifvi.engine.internal.fused.math.Tanh;
import cifvi.engine.internal.fused.math.TransposedConv;
import cifvi.engine.internal.fused.math.Upsample;
import cifvi.engine.internal.fused.math.WeightGradient;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.ConvEncoder;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Linear;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link ConvEncoder} of an image alone, or of w too as in {@link ImageVectorNet}, where a linear
 * map of w is upsampled to a second image: convolution, tanh, linear map.
 *
 * <p>Saved for the backward pass are the tanhs and the small image; the large one is upsampled
 * again.
 */
public final class ConvEncoderKernel implements Net {
  /**
   * The image of w: its linear map, places of its 49 pixels and their gradients, and the gradient
   * in the large image, with a border.
   */
  private record Latent(
      Layout.Var w, LinearKernel linear, int small, int dSmall, TransposedConv back, int dLarge) {}

  private final Planes planes;
  private final Weights weights;
  private final int plane;
  private final StridedConv conv;
  private final int bias;
  private final LinearKernel fc;
  private final Layout.Var out;
  private final int hidden;
  private final int dHidden;
  private final @Nullable Latent latent;

  /** Of one image alone, the one at {@code plane}. */
  public ConvEncoderKernel(
      ConvEncoder encoder, int plane, Planes planes, Weights weights, Layout layout) {
    this(encoder, plane, null, null, planes, weights, layout);
  }

  /** Of w and the observed image. */
  public ConvEncoderKernel(
      ImageVectorNet net, Layout.Var w, Planes planes, Weights weights, Layout layout) {
    this(net.convnet(), planes.at(), net.fcLatent(), w, planes, weights, layout);
  }

  private ConvEncoderKernel(
      ConvEncoder encoder,
      int plane,
      @Nullable Linear fcLatent,
      Layout.@Nullable Var w,
      Planes planes,
      Weights weights,
      Layout layout) {
    this.planes = planes;
    this.plane = plane;
    this.weights = weights;
    var scratch = layout.kernelScratch();
    int panels = scratch.rows(LinearKernel.scratch(List.of(encoder.fc())));
    fc = new LinearKernel(encoder.fc(), weights, layout, panels);
    conv = new StridedConv(encoder.weight(), weights, scratch);
    bias = weights.offset(encoder.bias());
    hidden = layout.rows(conv.outputs());
    dHidden = scratch.rows(conv.outputs());
    out = layout.variable(fc.outputs);
    if (fcLatent == null || w == null) {
      latent = null;
    } else {
      var linear = new LinearKernel(fcLatent, weights, layout, panels);
      int small = layout.rows(linear.outputs);
      int dSmall = scratch.rows(linear.outputs);
      var back = new TransposedConv(encoder.weight(), weights, layout);
      int dLarge = scratch.rows(Planes.SIDE * Planes.SIDE);
      latent = new Latent(w, linear, small, dSmall, back, dLarge);
    }
  }

  @Override
  public Layout.Var out() {
    return out;
  }

  @Override
  public void forward(Tape tape) {
    float[] v = tape.values;
    if (latent != null) {
      latent.linear.forward(tape, v, latent.w.at(), v, latent.small);
      Upsample.forward(v, latent.small, planes.at(), tape.padded);
    }
    conv.forward(v, plane, weights.values, bias, v, hidden, tape.padded);
    Tanh.forward(v, hidden, conv.outputs(), tape.padded);
    fc.forward(tape, v, hidden, v, out.at());
  }

  @Override
  public void backward(Tape tape) {
    float[] v = tape.values;
    float[] d = tape.scratch;
    Arrays.fill(d, dHidden, dHidden + conv.outputs() * STRIDE, 0);
    fc.backward(tape, v, hidden, tape.gradients, out.gradient(), d, dHidden);
    Tanh.backward(d, dHidden, v, hidden, conv.outputs(), tape.padded);
    if (latent != null) {
      Upsample.forward(v, latent.small, planes.at(), tape.padded);
    }
    conv.backwardWeights(tape, d, dHidden, v, plane);
    int positions = conv.outputs() / conv.channels;
    for (int c = 0; c < conv.channels; c++) {
      tape.parameterGradient[bias + c] +=
          WeightGradient.sumOf(tape, d, dHidden + c * positions * STRIDE, positions);
    }
    if (latent != null) {
      latent.back.run(d, dHidden, d, latent.dLarge, 0, tape.padded);
      Upsample.backward(d, latent.dLarge, latent.dSmall, tape.padded);
      int dw = latent.w.gradient();
      latent.linear.backward(tape, v, latent.w.at(), d, latent.dSmall, tape.gradients, dw);
    }
  }
}
