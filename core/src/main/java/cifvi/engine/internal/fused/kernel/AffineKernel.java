package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.math.FloatMath;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The affine part of G(w; u), {@link cifvi.bijection.Affine}: a map of every column whose shifts
 * and, behind them, log-scales are the columns of a network's output times {@code sign}, ±1. With t
 * and s those products,
 *
 * <pre>
 *   z = e^s (w + t),  log|det| = Σ s
 *   ∂z/∂w = ∂z/∂t = e^s,  ∂z/∂s = z,  ∂log|det|/∂s = 1
 * </pre>
 */
public sealed class AffineKernel implements Kernel permits MaskedAffineKernel {
  final Layout.Var in;
  private final Net network;
  private final Layout.Var st;
  public final Layout.Var out;
  private final float sign;
  private final int scale;
  private final int log;

  /** With t and s from a network of u. */
  public AffineKernel(Net network, Layout.Var in, Layout layout) {
    this(network, 1, in, layout);
  }

  AffineKernel(Net network, float sign, Layout.Var in, Layout layout) {
    this.network = network;
    this.st = network.out();
    this.in = in;
    this.sign = sign;
    out = layout.variable(in.size());
    scale = layout.rows(in.size());
    log = layout.kernelScratch().rows(1);
  }

  @Override
  public void forward(Tape tape) {
    network.forward(tape);
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

  @Override
  public void backward(Tape tape) {
    for (int c = 0; c < in.size() * STRIDE; c += STRIDE) {
      backward(tape, c, st.gradient() + c, st.gradient() + c + in.size() * STRIDE);
    }
    network.backward(tape);
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

  @Override
  public void inverse(Tape tape) {
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int c = 0; c < in.size(); c++) {
      network(tape, c);
      inverse(tape, c * STRIDE);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  /** Computes t and s of one feature, those before it being known: all of them with the first. */
  void network(Tape tape, int feature) {
    if (feature == 0) {
      network.forward(tape);
    }
  }

  /** One column of w = e^{-s} z - t. */
  private void inverse(Tape tape, int column) {
    float[] v = tape.values;
    float[] logs = tape.scratch;
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
}
