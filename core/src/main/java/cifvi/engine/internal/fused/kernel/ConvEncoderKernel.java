package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.math.Tanh;
import cifvi.engine.internal.fused.math.Upsample;
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
  /** The image of w: its linear map, and places of its 49 pixels and their gradients. */
  private record Latent(Layout.Var w, LinearKernel linear, int small, int dSmall, int dLarge) {}

  private final Planes planes;
  private final ConvKernel conv;
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
    var scratch = layout.kernelScratch();
    int panels = scratch.rows(LinearKernel.scratch(List.of(encoder.fc())));
    fc = new LinearKernel(encoder.fc(), weights, layout, panels);
    conv = new ConvKernel(encoder, plane, weights, scratch);
    hidden = layout.rows(conv.outputs());
    dHidden = scratch.rows(conv.outputs());
    out = layout.variable(fc.outputs);
    if (fcLatent == null || w == null) {
      latent = null;
    } else {
      var linear = new LinearKernel(fcLatent, weights, layout, panels);
      int pixels = linear.outputs;
      int small = layout.rows(pixels);
      latent = new Latent(w, linear, small, scratch.rows(pixels), scratch.rows(16 * pixels));
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
    conv.forward(tape, hidden);
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
    conv.backwardWeights(tape, dHidden);
    if (latent != null) {
      conv.backwardImage(tape, dHidden, latent.dLarge);
      Upsample.backward(d, latent.dLarge, latent.dSmall, tape.padded);
      int dw = latent.w.gradient();
      latent.linear.backward(tape, v, latent.w.at(), d, latent.dSmall, tape.gradients, dw);
    }
  }
}
