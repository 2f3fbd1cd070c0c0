package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * An affine map of every column whose shifts and, behind them, log-scales are the columns of a
 * network's output times {@code sign}, ±1: with t and s those products,
 *
 * <pre>
 *   z = e^s (w + t),  log|det| = Σ s
 *   ∂z/∂w = ∂z/∂t = e^s,  ∂z/∂s = z,  ∂log|det|/∂s = 1
 * </pre>
 */
public final class AffineRows {
  private final Layout.Var st;
  private final Layout.Var in;
  private final Layout.Var out;
  private final float sign;
  private final int scale;
  private final int log;

  public AffineRows(Layout.Var st, float sign, Layout.Var in, Layout layout) {
    this.st = st;
    this.in = in;
    this.sign = sign;
    out = layout.variable(in.size());
    scale = layout.rows(in.size());
    log = layout.kernelScratch().rows(1);
  }

  public Layout.Var out() {
    return out;
  }

  public void forward(Tape tape) {
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int c = 0; c < in.size() * STRIDE; c += STRIDE) {
      forward(tape, c, st.at() + c, st.at() + c + in.size() * STRIDE);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private void forward(Tape tape, int column, int t, int s) {
    float[] v = tape.values;
    float[] logs = tape.scratch;
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector logScale = fromArray(SPECIES, v, s + i).mul(sign);
      FloatVector e = FloatMath.exp(logScale);
      e.intoArray(v, scale + column + i);
      fromArray(SPECIES, v, t + i)
          .fma(broadcast(SPECIES, sign), fromArray(SPECIES, v, in.at() + column + i))
          .mul(e)
          .intoArray(v, out.at() + column + i);
      fromArray(SPECIES, logs, log + i).add(logScale).intoArray(logs, log + i);
    }
  }

  public void backward(Tape tape) {
    for (int c = 0; c < in.size() * STRIDE; c += STRIDE) {
      backward(tape, c, st.gradient() + c, st.gradient() + c + in.size() * STRIDE);
    }
  }

  private void backward(Tape tape, int column, int dt, int ds) {
    float[] g = tape.gradients;
    int dw = in.gradient() + column;
    FloatVector signs = broadcast(SPECIES, sign);
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector gz = fromArray(SPECIES, g, out.gradient() + column + i);
      FloatVector inner = gz.mul(fromArray(SPECIES, tape.values, scale + column + i));
      fromArray(SPECIES, g, dw + i).add(inner).intoArray(g, dw + i);
      inner.fma(signs, fromArray(SPECIES, g, dt + i)).intoArray(g, dt + i);
      FloatVector z = fromArray(SPECIES, tape.values, out.at() + column + i);
      gz.fma(z, fromArray(SPECIES, tape.dLogWeight, i))
          .fma(signs, fromArray(SPECIES, g, ds + i))
          .intoArray(g, ds + i);
    }
  }

  /**
   * Begins the inverse, from z to w; {@link #inverse} follows for every column, then {@link
   * #finish}.
   */
  public void start(Tape tape) {
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
  }

  /** Column c of w = e^{-s} z - t. */
  public void inverse(Tape tape, int c) {
    float[] v = tape.values;
    float[] logs = tape.scratch;
    int column = c * STRIDE;
    int t = st.at() + column;
    int s = t + in.size() * STRIDE;
    FloatVector minus = broadcast(SPECIES, -sign);
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector logScale = fromArray(SPECIES, v, s + i).mul(minus);
      FloatVector scaled =
          fromArray(SPECIES, v, out.at() + column + i).mul(FloatMath.exp(logScale));
      fromArray(SPECIES, v, t + i).fma(minus, scaled).intoArray(v, in.at() + column + i);
      fromArray(SPECIES, logs, log + i).add(logScale).intoArray(logs, log + i);
    }
  }

  public void finish(Tape tape) {
    tape.addLogWeight(tape.scratch, log);
  }
}
