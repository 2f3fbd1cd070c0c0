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
 * {@link NormalBase}: w₀ = mean + σ ε and -log q(w₀), with mean and σ fixed or learnt.
 *
 * <pre>
 *   -log q(w₀) = Σ e²/2 + log σ + ½ log 2π with e = ε, so that ∂/∂log σ = 1
 *   ∂w₀/∂log σ = σ ε, ∂w₀/∂mean = 1
 * </pre>
 */
public final class NormalBaseKernel implements Kernel {
  private static final float HALF_LOG_2PI = (float) (0.5 * Math.log(2 * Math.PI));
  private static final int BASE_STREAM = 0;
  private static final int FIXED = -1;

  public final Layout.Var out;
  private final Row mean;
  private final Row logStd;
  private final int noise;
  private final int log;

  public NormalBaseKernel(NormalBase base, Weights weights, Layout layout) {
    mean = Row.of(base.mean(), weights, layout);
    logStd = Row.of(base.logStd(), weights, layout);
    out = layout.variable(mean.constant.length);
    noise = layout.rows(out.size());
    log = layout.kernelScratch().rows(1);
  }

  /**
   * One number a column.
   *
   * @param constant a copy made at the beginning of every step, since buffers are loaded with the
   *     parameters
   * @param learnt where it lies among the weights instead, or {@link #FIXED}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(float[] constant, int learnt, Weights weights) {
    static Row of(Tensor row, Weights weights, Layout layout) {
      float[] copy = new float[Math.toIntExact(row.numel())];
      if (weights.holds(row)) {
        return new Row(copy, weights.offset(row), weights);
      }
      MemorySegment memory = FlatParameters.memory(row);
      layout.prepare(
          () -> MemorySegment.copy(memory, ValueLayout.JAVA_FLOAT, 0, copy, 0, copy.length));
      return new Row(copy, FIXED, weights);
    }

    boolean isLearnt() {
      return learnt != FIXED;
    }

    float at(int column) {
      return isLearnt() ? weights.values[learnt + column] : constant[column];
    }
  }

  @Override
  public void forward(Tape tape) {
    tape.normals(BASE_STREAM, out.size(), noise);
    for (int c = 0; c < out.size(); c++) {
      draw(tape.values, noise + c * STRIDE, mean.at(c), std(c), out.at() + c * STRIDE, tape.padded);
    }
    logDensity(tape, -1);
  }

  @Override
  public void backward(Tape tape) {
    for (int c = 0; c < out.size(); c++) {
      if (mean.isLearnt()) {
        tape.parameterGradient[mean.learnt + c] += meanGradient(tape, c);
      }
      if (logStd.isLearnt()) {
        tape.parameterGradient[logStd.learnt + c] += logStdGradient(tape, c);
      }
    }
  }

  private float meanGradient(Tape tape, int c) {
    FloatVector sum = broadcast(SPECIES, 0);
    for (int s = 0; s < tape.padded; s += COUNT) {
      sum = sum.add(fromArray(SPECIES, tape.gradients, out.gradient() + c * STRIDE + s));
    }
    sum.intoArray(tape.lanes, 0);
    return Lanes.sum(tape.lanes, 0);
  }

  private float logStdGradient(Tape tape, int c) {
    FloatVector sum = broadcast(SPECIES, 0);
    float std = std(c);
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector scaled = fromArray(SPECIES, tape.values, noise + c * STRIDE + s).mul(std);
      FloatVector g = fromArray(SPECIES, tape.gradients, out.gradient() + c * STRIDE + s);
      sum = sum.add(g.fma(scaled, fromArray(SPECIES, tape.dLogWeight, s)));
    }
    sum.intoArray(tape.lanes, 0);
    return Lanes.sum(tape.lanes, 0);
  }

  /** Adds log q(w₀). */
  @Override
  public void inverse(Tape tape) {
    logDensity(tape, 1);
  }

  private float std(int column) {
    return (float) Math.exp(logStd.at(column));
  }

  private static void draw(float[] v, int noise, float mean, float std, int out, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      fromArray(SPECIES, v, noise + s).mul(std).add(mean).intoArray(v, out + s);
    }
  }

  /** Adds ± log q(w₀) to the log-weights. */
  private void logDensity(Tape tape, float sign) {
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int c = 0; c < out.size(); c++) {
      addLogDensity(tape, c, sign);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private void addLogDensity(Tape tape, int c, float sign) {
    float perStd = (float) Math.exp(-logStd.at(c));
    float constant = logStd.at(c) + HALF_LOG_2PI;
    float centre = mean.at(c);
    float[] logs = tape.scratch;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector w = fromArray(SPECIES, tape.values, out.at() + c * STRIDE + s);
      FloatVector e = w.sub(centre).mul(perStd);
      FloatVector term = e.mul(e).mul(-0.5f).sub(constant).mul(sign);
      fromArray(SPECIES, logs, log + s).add(term).intoArray(logs, log + s);
    }
  }
}
