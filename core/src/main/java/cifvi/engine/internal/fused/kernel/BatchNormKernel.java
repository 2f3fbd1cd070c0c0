package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.bijection.BatchNorm;
import cifvi.engine.internal.fused.memory.Batch;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.FlatParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * {@link BatchNorm}, with a = log_scale and per feature
 *
 * <pre>
 *   y = (w - m) / √(v + ε),  z = e^a y + shift,  log|det| = Σ a - ½ log(v + ε)
 *   dshift = Σ dz,  da = Σ dz e^a y + dlog|det|
 *   dw = (e^a dz - (e^a dshift + y da) / n) / √(v + ε)
 * </pre>
 *
 * <p>The sums are over the n rows of the batch, and so are m and v where it was {@link #gather}ed;
 * otherwise they are the running averages.
 */
public final class BatchNormKernel implements BatchKernel {
  private final BatchNorm norm;
  private final Weights weights;
  private final Layout.Var in;
  public final Layout.Var out;
  private final int d;
  private final int shift;
  private final int logScale;
  private final MemorySegment runningMean;
  private final MemorySegment runningVariance;

  // What all rows share.
  private final double[] mean;
  private final double[] variance;
  private final double[] dShift;
  private final double[] dLogScale;
  private double logDet;
  private int rows;

  public BatchNormKernel(BatchNorm norm, Layout.Var in, Weights weights, Layout layout) {
    this.norm = norm;
    this.weights = weights;
    this.in = in;
    d = in.size();
    out = layout.variable(d);
    shift = weights.offset(norm.shift());
    logScale = weights.offset(norm.logScale());
    runningMean = FlatParameters.memory(norm.runningMean());
    runningVariance = FlatParameters.memory(norm.runningVariance());
    mean = new double[d];
    variance = new double[d];
    dShift = new double[d];
    dLogScale = new double[d];
    layout.prepare(this::running);
  }

  private void running() {
    for (int c = 0; c < d; c++) {
      mean[c] = runningMean.getAtIndex(ValueLayout.JAVA_FLOAT, c);
      variance[c] = runningVariance.getAtIndex(ValueLayout.JAVA_FLOAT, c);
    }
    determinant();
  }

  private void determinant() {
    logDet = 0;
    for (int c = 0; c < d; c++) {
      logDet += weights.values[logScale + c] - 0.5 * Math.log(variance[c] + BatchNorm.EPSILON);
    }
  }

  @Override
  public void gather(Batch batch) {
    rows = batch.rows();
    for (int c = 0; c < d; c++) {
      int w = in.at() + c * STRIDE;
      mean[c] = sum(batch, (tape, i) -> tape.values[w + i]) / rows;
      double m = mean[c];
      variance[c] = sum(batch, (tape, i) -> square(tape.values[w + i] - m)) / rows;
    }
    determinant();
    norm.observe(mean, variance);
  }

  @Override
  public void gatherGradients(Batch batch) {
    float[] gradient = batch.tapes().getFirst().parameterGradient;
    double dLogWeights = sum(batch, (tape, i) -> tape.dLogWeight[i]);
    for (int c = 0; c < d; c++) {
      int w = in.at() + c * STRIDE;
      int dz = out.gradient() + c * STRIDE;
      double m = mean[c];
      dShift[c] = sum(batch, (tape, i) -> tape.gradients[dz + i]);
      double dy = sum(batch, (tape, i) -> tape.gradients[dz + i] * (tape.values[w + i] - m));
      dLogScale[c] = dy * scale(c) * perStd(c) + dLogWeights;
      gradient[shift + c] += (float) dShift[c];
      gradient[logScale + c] += (float) dLogScale[c];
    }
  }

  /** A number of a row. */
  private interface Term {
    double of(Tape tape, int row);
  }

  /** In the order of the rows, whoever computed them. */
  private static double sum(Batch batch, Term term) {
    double sum = 0;
    for (Tape tape : batch.tapes()) {
      for (int i = 0; i < tape.rows; i++) {
        sum += term.of(tape, i);
      }
    }
    return sum;
  }

  private static double square(double x) {
    return x * x;
  }

  private double scale(int c) {
    return Math.exp(weights.values[logScale + c]);
  }

  private double perStd(int c) {
    return 1 / Math.sqrt(variance[c] + BatchNorm.EPSILON);
  }

  @Override
  public void forward(Tape tape) {
    for (int c = 0; c < d; c++) {
      float scale = (float) (scale(c) * perStd(c));
      affine(tape, in.at(), (float) mean[c], scale, weights.values[shift + c], out.at(), c);
    }
    tape.addLogWeight(logDet);
  }

  @Override
  public void backward(Tape tape) {
    for (int c = 0; c < d; c++) {
      backward(tape, c);
      int dw = in.gradient() + c * STRIDE;
      Arrays.fill(tape.gradients, dw + tape.rows, dw + tape.padded, 0);
    }
  }

  /** dw += a dz + b (w - m) + constant. */
  private void backward(Tape tape, int c) {
    float[] g = tape.gradients;
    float m = (float) mean[c];
    double perStd = perStd(c);
    FloatVector a = broadcast(SPECIES, (float) (scale(c) * perStd));
    FloatVector b = broadcast(SPECIES, (float) (-dLogScale[c] * perStd * perStd / rows));
    FloatVector constant = broadcast(SPECIES, (float) (-scale(c) * perStd * dShift[c] / rows));
    for (int s = c * STRIDE; s < c * STRIDE + tape.padded; s += COUNT) {
      FloatVector centred = fromArray(SPECIES, tape.values, in.at() + s).sub(m);
      fromArray(SPECIES, g, out.gradient() + s)
          .fma(a, centred.fma(b, constant))
          .add(fromArray(SPECIES, g, in.gradient() + s))
          .intoArray(g, in.gradient() + s);
    }
  }

  @Override
  public void inverse(Tape tape) {
    for (int c = 0; c < d; c++) {
      float scale = (float) (1 / (scale(c) * perStd(c)));
      affine(tape, out.at(), weights.values[shift + c], scale, (float) mean[c], in.at(), c);
    }
    tape.addLogWeight(-logDet);
  }

  /** y = (x - from) scale + to, for column c of both. */
  private static void affine(Tape tape, int x, float from, float scale, float to, int y, int c) {
    float[] v = tape.values;
    for (int s = c * STRIDE; s < c * STRIDE + tape.padded; s += COUNT) {
      fromArray(SPECIES, v, x + s).sub(from).mul(scale).add(to).intoArray(v, y + s);
    }
  }
}
