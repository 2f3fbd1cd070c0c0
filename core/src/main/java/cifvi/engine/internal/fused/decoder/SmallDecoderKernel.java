package cifvi.engine.internal.fused.decoder;

import cifvi.engine.internal.fused.kernel.Kernel;
import cifvi.engine.internal.fused.kernel.LinearKernel;
import cifvi.engine.internal.fused.math.StridedConv;
import cifvi.engine.internal.fused.math.Tanh;
import cifvi.engine.internal.fused.math.TransposedConv;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.SmallDecoder;
import java.util.List;

/**
 * log p(x, z) of the observed image, whose logits a {@link SmallDecoder} makes of z: linear map,
 * tanh, transposed convolution.
 *
 * <p>Saved for the backward pass are the tanhs and x - σ(l). The way back through the transposed
 * convolution is the convolution with the same weights.
 */
public final class SmallDecoderKernel implements Kernel {
  private final Weights weights;
  private final Layout.Var z;
  private final ImageScore score;
  private final LinearKernel fc;
  private final TransposedConv transposed;
  private final StridedConv conv;
  private final int bias;
  private final int hidden;
  private final int dHidden;
  private final float[] noBias;

  public SmallDecoderKernel(
      SmallDecoder decoder, Layout.Var z, Planes planes, Weights weights, Layout layout) {
    this.weights = weights;
    this.z = z;
    var scratch = layout.kernelScratch();
    int panels = scratch.rows(LinearKernel.scratch(List.of(decoder.fc())));
    fc = new LinearKernel(decoder.fc(), weights, layout, panels);
    transposed = new TransposedConv(decoder.weight(), weights, layout);
    conv = new StridedConv(decoder.weight(), weights, scratch);
    bias = weights.offset(decoder.bias());
    noBias = new float[conv.channels];
    hidden = layout.rows(fc.outputs);
    score = new ImageScore(z, planes, layout, scratch);
    dHidden = scratch.rows(fc.outputs);
  }

  @Override
  public void forward(Tape tape) {
    float[] v = tape.values;
    fc.forward(tape, v, z.at(), v, hidden);
    Tanh.forward(v, hidden, fc.outputs, tape.padded);
    transposed.run(v, hidden, tape.scratch, score.plane, weights.values[bias], tape.padded);
    score.forward(tape);
  }

  @Override
  public void backward(Tape tape) {
    float[] d = tape.scratch;
    tape.parameterGradient[bias] += (float) score.backward(tape);
    conv.backwardWeights(tape, tape.values, hidden, d, score.plane);
    conv.forward(d, score.plane, noBias, 0, d, dHidden, tape.padded);
    Tanh.backward(d, dHidden, tape.values, hidden, fc.outputs, tape.padded);
    fc.backward(tape, tape.values, z.at(), d, dHidden, tape.gradients, z.gradient());
    score.backwardPrior(tape);
  }

  /** The path back from z does not look at p. */
  @Override
  public void inverse(Tape tape) {}
}
