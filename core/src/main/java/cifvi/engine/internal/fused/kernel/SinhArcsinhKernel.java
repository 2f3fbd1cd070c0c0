package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.bijection.SinhArcsinh;
import cifvi.engine.internal.fused.math.FloatMath;
import cifvi.engine.internal.fused.memory.Lanes;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * {@link SinhArcsinh}: with a = arsinh(w), t = δ a - ε and l the log-weight,
 *
 * <pre>
 *   z = sinh t,  log|det| = Σ log δ + ½ log(1 + z²) - ½ log(1 + w²)
 *   dt = dz √(1 + z²) + dl z / √(1 + z²)
 *   dw = dt δ / √(1 + w²) - dl w / (1 + w²),  dε = -dt,  dlog δ = dt δ a + dl
 * </pre>
 */
public final class SinhArcsinhKernel implements Kernel {
  private final Weights weights;
  private final Layout.Var in;
  public final Layout.Var out;
  private final int skew;
  private final int logTail;
  private final int angle;
  private final int log;

  public SinhArcsinhKernel(SinhArcsinh g, Layout.Var in, Weights weights, Layout layout) {
    this.weights = weights;
    this.in = in;
    out = layout.variable(in.size());
    skew = weights.offset(g.skew());
    logTail = weights.offset(g.logTail());
    angle = layout.rows(in.size());
    log = layout.kernelScratch().rows(1);
  }

  private float tail(int column) {
    return (float) Math.exp(weights.values[logTail + column]);
  }

  @Override
  public void forward(Tape tape) {
    run(tape, false);
  }

  private void run(Tape tape, boolean inverse) {
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int c = 0; c < in.size(); c++) {
      float epsilon = weights.values[skew + c];
      if (inverse) {
        inverse(tape, c * STRIDE, tail(c), epsilon, weights.values[logTail + c]);
      } else {
        forward(tape, c * STRIDE, tail(c), epsilon, weights.values[logTail + c]);
      }
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private void forward(Tape tape, int column, float tail, float skew, float logTail) {
    float[] v = tape.values;
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector w = fromArray(SPECIES, v, in.at() + column + i);
      FloatVector a = FloatMath.asinh(w);
      a.intoArray(v, angle + column + i);
      FloatVector z = FloatMath.sinh(a.mul(tail).sub(skew));
      z.intoArray(v, out.at() + column + i);
      addLog(tape.scratch, log + i, w, z, logTail, 1);
    }
  }

  /** Adds ± (log δ + ½ log(1 + z²) - ½ log(1 + w²)). */
  private static void addLog(
      float[] logs, int at, FloatVector w, FloatVector z, float logTail, float sign) {
    FloatVector ratio = FloatMath.log(z.fma(z, broadcast(SPECIES, 1f)));
    FloatVector slope = ratio.sub(FloatMath.log(w.fma(w, broadcast(SPECIES, 1f))));
    FloatVector term = slope.mul(0.5f).add(logTail).mul(sign);
    fromArray(SPECIES, logs, at).add(term).intoArray(logs, at);
  }

  @Override
  public void backward(Tape tape) {
    for (int c = 0; c < in.size(); c++) {
      backward(tape, c, tail(c));
    }
  }

  private void backward(Tape tape, int c, float tail) {
    float[] v = tape.values;
    float[] g = tape.gradients;
    int column = c * STRIDE;
    FloatVector one = broadcast(SPECIES, 1f);
    FloatVector dSkew = broadcast(SPECIES, 0f);
    FloatVector dLogTail = broadcast(SPECIES, 0f);
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector w = fromArray(SPECIES, v, in.at() + column + i);
      FloatVector z = fromArray(SPECIES, v, out.at() + column + i);
      FloatVector dl = fromArray(SPECIES, tape.dLogWeight, i);
      FloatVector cosh = z.fma(z, one).sqrt();
      FloatVector dt =
          fromArray(SPECIES, g, out.gradient() + column + i).mul(cosh).add(dl.mul(z).div(cosh));
      FloatVector square = w.fma(w, one);
      FloatVector dw = dt.mul(tail).div(square.sqrt()).sub(dl.mul(w).div(square));
      int at = in.gradient() + column + i;
      fromArray(SPECIES, g, at).add(dw).intoArray(g, at);
      dSkew = dSkew.sub(dt);
      FloatVector a = fromArray(SPECIES, v, angle + column + i);
      dLogTail = dLogTail.add(dt.mul(tail).fma(a, dl));
    }
    dSkew.intoArray(tape.lanes, 0);
    tape.parameterGradient[skew + c] += Lanes.sum(tape.lanes, 0);
    dLogTail.intoArray(tape.lanes, 0);
    tape.parameterGradient[logTail + c] += Lanes.sum(tape.lanes, 0);
  }

  @Override
  public void inverse(Tape tape) {
    run(tape, true);
  }

  private void inverse(Tape tape, int column, float tail, float skew, float logTail) {
    float[] v = tape.values;
    for (int i = 0; i < tape.padded; i += COUNT) {
      FloatVector z = fromArray(SPECIES, v, out.at() + column + i);
      FloatVector w = FloatMath.sinh(FloatMath.asinh(z).add(skew).div(tail));
      w.intoArray(v, in.at() + column + i);
      addLog(tape.scratch, log + i, w, z, logTail, -1);
    }
  }
}
