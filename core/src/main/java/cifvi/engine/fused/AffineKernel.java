package cifvi.engine.fused;

import static cifvi.engine.fused.Lanes.COUNT;
import static cifvi.engine.fused.Lanes.SPECIES;
import static cifvi.engine.fused.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.fromArray;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The affine part of G(w; u), {@link cifvi.bijection.Affine} with t and s from a network of u:
 *
 * <pre>
 *   z = e^s (w + t),  log|det| = Σ s
 *   ∂z/∂w = ∂z/∂t = e^s,  ∂z/∂s = z,  ∂log|det|/∂s = 1
 * </pre>
 */
final class AffineKernel implements Kernel {
  private final Net st;
  private final Layout.Var in;
  private final Layout.Var out;
  private final int scale;
  private final int log;

  AffineKernel(Net st, Layout.Var in, Layout layout) {
    this.st = st;
    this.in = in;
    out = layout.variable(in.size());
    scale = layout.rows(in.size());
    log = layout.kernelScratch().rows(1);
  }

  Layout.Var out() {
    return out;
  }

  @Override
  public void forward(Tape tape) {
    st.forward(tape);
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int c = 0; c < in.size() * STRIDE; c += STRIDE) {
      int t = st.out().at() + c;
      int s = t + in.size() * STRIDE;
      forward(
          tape.values, in.at() + c, t, s, scale + c, out.at() + c, tape.scratch, log, tape.padded);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private static void forward(
      float[] v, int w, int t, int s, int scale, int z, float[] logs, int log, int rows) {
    for (int i = 0; i < rows; i += COUNT) {
      FloatVector logScale = fromArray(SPECIES, v, s + i);
      FloatVector e = FloatMath.exp(logScale);
      e.intoArray(v, scale + i);
      fromArray(SPECIES, v, w + i).add(fromArray(SPECIES, v, t + i)).mul(e).intoArray(v, z + i);
      fromArray(SPECIES, logs, log + i).add(logScale).intoArray(logs, log + i);
    }
  }

  @Override
  public void backward(Tape tape) {
    for (int c = 0; c < in.size() * STRIDE; c += STRIDE) {
      int dt = st.out().gradient() + c;
      int ds = dt + in.size() * STRIDE;
      backward(tape, scale + c, out.at() + c, out.gradient() + c, in.gradient() + c, dt, ds);
    }
    st.backward(tape);
  }

  private static void backward(Tape tape, int scale, int z, int dz, int dw, int dt, int ds) {
    float[] g = tape.gradients;
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector gz = fromArray(SPECIES, g, dz + i);
      FloatVector inner = gz.mul(fromArray(SPECIES, tape.values, scale + i));
      fromArray(SPECIES, g, dw + i).add(inner).intoArray(g, dw + i);
      fromArray(SPECIES, g, dt + i).add(inner).intoArray(g, dt + i);
      FloatVector gs =
          gz.fma(fromArray(SPECIES, tape.values, z + i), fromArray(SPECIES, tape.seed, i));
      fromArray(SPECIES, g, ds + i).add(gs).intoArray(g, ds + i);
    }
  }

  @Override
  public void inverse(Tape tape) {
    st.forward(tape);
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int c = 0; c < in.size() * STRIDE; c += STRIDE) {
      int t = st.out().at() + c;
      int s = t + in.size() * STRIDE;
      inverse(tape.values, out.at() + c, t, s, in.at() + c, tape.scratch, log, tape.padded);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private static void inverse(
      float[] v, int z, int t, int s, int w, float[] logs, int log, int rows) {
    for (int i = 0; i < rows; i += COUNT) {
      FloatVector logScale = fromArray(SPECIES, v, s + i);
      FloatVector e = FloatMath.exp(logScale.neg());
      fromArray(SPECIES, v, z + i).mul(e).sub(fromArray(SPECIES, v, t + i)).intoArray(v, w + i);
      fromArray(SPECIES, logs, log + i).sub(logScale).intoArray(logs, log + i);
    }
  }
}
