package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.distribution.NormalBase;
import cifvi.engine.internal.fused.memory.Lanes;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.FlatParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import org.bytedeco.pytorch.Tensor;

/**
 * {@link NormalBase}: w₀ = mean + σ ε and -log q(w₀), with σ fixed or learnt.
 *
 * <pre>
 *   -log q(w₀) = Σ e²/2 + log σ + ½ log 2π with e = ε, so that ∂/∂log σ = 1
 *   ∂w₀/∂log σ = σ ε
 * </pre>
 */
public final class NormalBaseKernel implements Kernel {
  private static final float HALF_LOG_2PI = (float) (0.5 * Math.log(2 * Math.PI));
  private static final int BASE_STREAM = 0;
  private static final int FIXED = -1;

  private final Weights weights;
  public final Layout.Var out;
  private final float[] mean;
  private final float[] logStd;
  private final int learnt;
  private final int noise;
  private final int log;

  public NormalBaseKernel(NormalBase base, Weights weights, Layout layout) {
    this.weights = weights;
    mean = constant(base.mean(), layout);
    logStd = constant(base.logStd(), layout);
    learnt = weights.holds(base.logStd()) ? weights.offset(base.logStd()) : FIXED;
    out = layout.variable(mean.length);
    noise = layout.rows(mean.length);
    log = layout.kernelScratch().rows(1);
  }

  /** A copy made at the beginning of every step, since buffers are loaded with the parameters. */
  private static float[] constant(Tensor buffer, Layout layout) {
    MemorySegment memory = FlatParameters.memory(buffer);
    float[] copy = new float[Math.toIntExact(buffer.numel())];
    layout.prepare(
        () -> MemorySegment.copy(memory, ValueLayout.JAVA_FLOAT, 0, copy, 0, copy.length));
    return copy;
  }

  private float logStd(int column) {
    return learnt == FIXED ? logStd[column] : weights.values[learnt + column];
  }

  @Override
  public void forward(Tape tape) {
    tape.normals(BASE_STREAM, mean.length, noise);
    for (int c = 0; c < mean.length; c++) {
      draw(tape.values, noise + c * STRIDE, mean[c], std(c), out.at() + c * STRIDE, tape.padded);
    }
    logDensity(tape, -1);
  }

  @Override
  public void backward(Tape tape) {
    for (int c = 0; learnt != FIXED && c < mean.length; c++) {
      FloatVector sum = broadcast(SPECIES, 0);
      for (int s = 0; s < tape.padded; s += COUNT) {
        FloatVector scaled = fromArray(SPECIES, tape.values, noise + c * STRIDE + s).mul(std(c));
        FloatVector g = fromArray(SPECIES, tape.gradients, out.gradient() + c * STRIDE + s);
        sum = sum.add(g.fma(scaled, fromArray(SPECIES, tape.dLogWeight, s)));
      }
      sum.intoArray(tape.lanes, 0);
      tape.parameterGradient[learnt + c] += Lanes.sum(tape.lanes, 0);
    }
  }

  /** Adds log q(w₀). */
  @Override
  public void inverse(Tape tape) {
    logDensity(tape, 1);
  }

  private float std(int column) {
    return (float) Math.exp(logStd(column));
  }

  private static void draw(float[] v, int noise, float mean, float std, int out, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      fromArray(SPECIES, v, noise + s).mul(std).add(mean).intoArray(v, out + s);
    }
  }

  /** Adds ± log q(w₀) to the log-weights. */
  private void logDensity(Tape tape, float sign) {
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int c = 0; c < mean.length; c++) {
      addLogDensity(tape, c, sign);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private void addLogDensity(Tape tape, int c, float sign) {
    float perStd = (float) Math.exp(-logStd(c));
    float constant = logStd(c) + HALF_LOG_2PI;
    float[] logs = tape.scratch;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector w = fromArray(SPECIES, tape.values, out.at() + c * STRIDE + s);
      FloatVector e = w.sub(mean[c]).mul(perStd);
      FloatVector term = e.mul(e).mul(-0.5f).sub(constant).mul(sign);
      fromArray(SPECIES, logs, log + s).add(term).intoArray(logs, log + s);
    }
  }
}
