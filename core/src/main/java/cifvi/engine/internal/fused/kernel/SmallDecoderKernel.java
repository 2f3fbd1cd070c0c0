package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Planes.SIDE;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.math.CoinRows;
import cifvi.engine.internal.fused.math.StridedConv;
import cifvi.engine.internal.fused.math.Tanh;
import cifvi.engine.internal.fused.math.TransposedConv;
import cifvi.engine.internal.fused.math.WeightGradient;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.Images;
import cifvi.nn.SmallDecoder;
import java.util.Arrays;
import java.util.List;
import jdk.incubator.vector.FloatVector;

/**
 * log p(x, z) = log N(z; 0, I) + Σ_i x_i l_i - log(1 + e^{l_i}) of the observed image, whose logits
 * l a {@link SmallDecoder} makes of z: linear map, tanh, transposed convolution.
 *
 * <pre>
 *   ∂/∂l = x - σ(l),  ∂/∂z = -z + what comes back through the decoder
 * </pre>
 *
 * <p>Saved for the backward pass are the tanhs and x - σ(l). The way back through the transposed
 * convolution is the convolution with the same weights.
 */
public final class SmallDecoderKernel implements Kernel {
  private static final float HALF_LOG_2PI = (float) (0.5 * Math.log(2 * Math.PI));
  private static final int FRAMED = SIDE * SIDE;

  private final Weights weights;
  private final Layout.Var z;
  private final Planes planes;
  private final LinearKernel fc;
  private final TransposedConv transposed;
  private final StridedConv conv;
  private final int bias;
  private final int hidden;
  private final int residuals;
  private final int plane; // of logits, or of gradients in them
  private final int dHidden;
  private final int log;
  private final float[] noBias;

  public SmallDecoderKernel(
      SmallDecoder decoder, Layout.Var z, Planes planes, Weights weights, Layout layout) {
    this.weights = weights;
    this.z = z;
    this.planes = planes;
    var scratch = layout.kernelScratch();
    int panels = scratch.rows(LinearKernel.scratch(List.of(decoder.fc())));
    fc = new LinearKernel(decoder.fc(), weights, layout, panels);
    transposed = new TransposedConv(decoder.weight(), weights, layout);
    conv = new StridedConv(decoder.weight(), weights, scratch);
    bias = weights.offset(decoder.bias());
    noBias = new float[conv.channels];
    hidden = layout.rows(fc.outputs);
    residuals = layout.rows(Images.PIXELS);
    plane = scratch.rows(FRAMED);
    dHidden = scratch.rows(fc.outputs);
    log = scratch.rows(1);
  }

  @Override
  public void forward(Tape tape) {
    float[] v = tape.values;
    fc.forward(tape, v, z.at(), v, hidden);
    Tanh.forward(v, hidden, fc.outputs, tape.padded);
    transposed.run(v, hidden, tape.scratch, plane, weights.values[bias], tape.padded);
    Arrays.fill(tape.logJoint, 0);
    prior(v, tape.scratch, tape.padded);
    addLogJoint(tape);
    for (int y = 0; y < Images.SIDE; y++) {
      int x = planes.observed() + Planes.pixel(y, 0);
      CoinRows.forward(tape, x, plane + Planes.pixel(y, 0), residuals(y), log, Images.SIDE);
      addLogJoint(tape);
    }
    for (int i = 0; i < tape.rows; i++) {
      tape.logWeight[i] += tape.logJoint[i];
    }
  }

  /** log N(z; 0, I). */
  private void prior(float[] v, float[] to, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector sum = broadcast(SPECIES, -HALF_LOG_2PI * z.size());
      for (int c = 0; c < z.size(); c++) {
        FloatVector e = fromArray(SPECIES, v, z.at() + c * STRIDE + s);
        sum = sum.sub(e.mul(e).mul(0.5f));
      }
      sum.intoArray(to, log + s);
    }
  }

  /** In float64, one term of every row. */
  private void addLogJoint(Tape tape) {
    for (int i = 0; i < tape.rows; i++) {
      tape.logJoint[i] += tape.scratch[log + i];
    }
  }

  private int residuals(int y) {
    return residuals + y * Images.SIDE * STRIDE;
  }

  @Override
  public void backward(Tape tape) {
    float[] d = tape.scratch;
    Arrays.fill(d, plane, plane + FRAMED * STRIDE, 0);
    double dBias = 0; // of so many terms that float32 would lose the last digits
    for (int y = 0; y < Images.SIDE; y++) {
      int row = plane + Planes.pixel(y, 0);
      CoinRows.backward(tape, residuals(y), row, Images.SIDE);
      dBias += WeightGradient.sumOf(tape, d, row, Images.SIDE);
    }
    tape.parameterGradient[bias] += (float) dBias;
    conv.backwardWeights(tape, tape.values, hidden, d, plane);
    conv.forward(d, plane, noBias, 0, d, dHidden, tape.padded);
    Tanh.backward(d, dHidden, tape.values, hidden, fc.outputs, tape.padded);
    fc.backward(tape, tape.values, z.at(), d, dHidden, tape.gradients, z.gradient());
    for (int c = 0; c < z.size(); c++) {
      backwardPrior(tape, z.at() + c * STRIDE, z.gradient() + c * STRIDE);
    }
  }

  private static void backwardPrior(Tape tape, int z, int dz) {
    float[] g = tape.gradients;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector e = fromArray(SPECIES, tape.values, z + s);
      FloatVector before = fromArray(SPECIES, g, dz + s);
      before.sub(e.mul(fromArray(SPECIES, tape.dLogWeight, s))).intoArray(g, dz + s);
    }
  }

  /** The path back from z does not look at p. */
  @Override
  public void inverse(Tape tape) {}
}
