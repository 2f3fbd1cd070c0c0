package cifvi.engine.fused;

import static cifvi.engine.fused.Lanes.COUNT;
import static cifvi.engine.fused.Lanes.SPECIES;
import static cifvi.engine.fused.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.bijection.AffineAutoregressive;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * {@link AffineAutoregressive}, μ_i and α_i being outputs i and d + i of a network of w_{&lt;i}:
 *
 * <pre>
 *   z = (w - μ) e^{-α},  log|det| = -Σ α
 *   ∂z/∂w = -∂z/∂μ = e^{-α},  ∂z/∂α = -z,  ∂log|det|/∂α = -1
 * </pre>
 */
final class MaskedAffineKernel implements Kernel {
  private final MlpKernel made;
  private final Layout.Var in;
  private final Layout.Var out;
  private final int scale;
  private final int log;

  MaskedAffineKernel(AffineAutoregressive g, Layout.Var in, Weights weights, Layout layout) {
    this.in = in;
    made = new MlpKernel(g.made().mlp(), in, weights, layout);
    out = layout.variable(in.size());
    scale = layout.rows(in.size());
    log = layout.kernelScratch().rows(1);
  }

  Layout.Var out() {
    return out;
  }

  @Override
  public void forward(Tape tape) {
    made.forward(tape);
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int c = 0; c < in.size() * STRIDE; c += STRIDE) {
      int mean = made.out().at() + c;
      int alpha = mean + in.size() * STRIDE;
      forward(tape, in.at() + c, mean, alpha, scale + c, out.at() + c);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private void forward(Tape tape, int w, int mean, int alpha, int scale, int z) {
    float[] v = tape.values;
    float[] logs = tape.scratch;
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector a = fromArray(SPECIES, v, alpha + i);
      FloatVector e = FloatMath.exp(a.neg());
      e.intoArray(v, scale + i);
      fromArray(SPECIES, v, w + i).sub(fromArray(SPECIES, v, mean + i)).mul(e).intoArray(v, z + i);
      fromArray(SPECIES, logs, log + i).sub(a).intoArray(logs, log + i);
    }
  }

  @Override
  public void backward(Tape tape) {
    for (int c = 0; c < in.size() * STRIDE; c += STRIDE) {
      int dMean = made.out().gradient() + c;
      int dAlpha = dMean + in.size() * STRIDE;
      backward(tape, scale + c, out.at() + c, out.gradient() + c, in.gradient() + c, dMean, dAlpha);
    }
    made.backward(tape);
  }

  private static void backward(Tape tape, int scale, int z, int dz, int dw, int dMean, int dAlpha) {
    float[] g = tape.gradients;
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector gz = fromArray(SPECIES, g, dz + i);
      FloatVector inner = gz.mul(fromArray(SPECIES, tape.values, scale + i));
      fromArray(SPECIES, g, dw + i).add(inner).intoArray(g, dw + i);
      fromArray(SPECIES, g, dMean + i).sub(inner).intoArray(g, dMean + i);
      FloatVector ga =
          gz.fma(fromArray(SPECIES, tape.values, z + i), fromArray(SPECIES, tape.seed, i));
      fromArray(SPECIES, g, dAlpha + i).sub(ga).intoArray(g, dAlpha + i);
    }
  }

  /** Feature after feature, each hidden unit once: as soon as all it depends on is known. */
  @Override
  public void inverse(Tape tape) {
    Arrays.fill(tape.values, in.at(), in.at() + in.size() * STRIDE, 0);
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    made.clear(tape);
    for (int i = 0; i < in.size(); i++) {
      made.hidden(tape, i);
      made.output(tape, i);
      made.output(tape, in.size() + i);
      int mean = made.out().at() + i * STRIDE;
      int alpha = mean + in.size() * STRIDE;
      inverse(tape, out.at() + i * STRIDE, mean, alpha, in.at() + i * STRIDE);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private void inverse(Tape tape, int z, int mean, int alpha, int w) {
    float[] v = tape.values;
    float[] logs = tape.scratch;
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector a = fromArray(SPECIES, v, alpha + i);
      FloatVector e = FloatMath.exp(a);
      fromArray(SPECIES, v, z + i).mul(e).add(fromArray(SPECIES, v, mean + i)).intoArray(v, w + i);
      fromArray(SPECIES, logs, log + i).add(a).intoArray(logs, log + i);
    }
  }
}
