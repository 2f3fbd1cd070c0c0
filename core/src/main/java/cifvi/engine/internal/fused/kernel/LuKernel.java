package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.bijection.LuLinear;
import cifvi.engine.internal.fused.math.Band;
import cifvi.engine.internal.fused.math.Gemm;
import cifvi.engine.internal.fused.math.Transpose;
import cifvi.engine.internal.fused.math.WeightGradient;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.UnitOrder;
import cifvi.engine.internal.fused.memory.Weights;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * {@link LuLinear}: t = U w, z = L t + b, log|det| = Σ log U_ii with U_ii = softplus(p_i) + m.
 *
 * <pre>
 *   dt = Lᵀ dz,  dw = Uᵀ dt,  db = Σ dz,  dL = dz tᵀ below the diagonal,  dU = dt wᵀ above it
 *   dp_i = σ(p_i) (dU_ii + 1 / U_ii)
 * </pre>
 *
 * <p>The sums are over rows; 1 / U_ii counts once for every row, with the gradient of its
 * log-weight.
 */
public final class LuKernel implements Kernel {
  private static final double LINEAR = 20; // softplus(p) is p from here on, as in libtorch

  private final Weights weights;
  private final Layout.Var in;
  public final Layout.Var out;
  private final int d;
  private final int bias;
  private final int lowerEntries;
  private final int upperEntries;
  private final int diagonal;

  // The matrices of the step, row by row, and their transposes.
  private final float[] lower;
  private final float[] upper;
  private final float[] lowerT;
  private final float[] upperT;
  private final double[] sigmoid;
  private double logDet;

  private final Band[] below;
  private final Band[] above;
  private final Band[] whole;
  private final int[] features;
  private final int t;
  private final int dt;
  private final int panels;
  private final int dense;

  public LuKernel(LuLinear lu, Layout.Var in, Weights weights, Layout layout) {
    this.weights = weights;
    this.in = in;
    d = in.size();
    out = layout.variable(d);
    bias = weights.offset(lu.bias());
    diagonal = weights.offset(lu.diagonal());
    lowerEntries = d > 1 ? weights.offset(lu.lower()) : 0;
    upperEntries = d > 1 ? weights.offset(lu.upper()) : 0;
    lower = new float[d * d];
    upper = new float[d * d];
    lowerT = new float[d * d];
    upperT = new float[d * d];
    sigmoid = new double[d];
    below = Band.of(d, d, (j, i) -> i <= j);
    above = Band.of(d, d, (j, i) -> i >= j);
    features = UnitOrder.natural(d).units();
    whole = Band.of(d, d, (_, _) -> true);
    t = layout.rows(d);
    var scratch = layout.kernelScratch();
    dt = scratch.rows(d);
    panels = scratch.rows(Transpose.size(d));
    dense = scratch.rows(Math.ceilDiv(d * d + Transpose.PANEL, STRIDE));
    layout.prepare(this::factors);
  }

  private void factors() {
    float[] v = weights.values;
    logDet = 0;
    int nextLower = lowerEntries;
    int nextUpper = upperEntries;
    for (int i = 0; i < d; i++) {
      double p = v[diagonal + i];
      double size = (p > LINEAR ? p : Math.log1p(Math.exp(p))) + LuLinear.MIN_DIAGONAL;
      sigmoid[i] = 1 / (1 + Math.exp(-p));
      logDet += Math.log(size);
      set(lower, lowerT, i, i, 1);
      set(upper, upperT, i, i, (float) size);
      for (int j = 0; j < i; j++) {
        set(lower, lowerT, i, j, v[nextLower++]);
      }
      for (int j = i + 1; j < d; j++) {
        set(upper, upperT, i, j, v[nextUpper++]);
      }
    }
  }

  private void set(float[] matrix, float[] transposed, int i, int j, float value) {
    matrix[i * d + j] = value;
    transposed[j * d + i] = value;
  }

  @Override
  public void forward(Tape tape) {
    float[] v = tape.values;
    Arrays.fill(v, t, t + d * STRIDE, 0);
    multiply(upper, above, v, in.at(), v, t, tape.padded);
    for (int i = 0; i < d; i++) {
      int z = out.at() + i * STRIDE;
      Arrays.fill(v, z, z + tape.padded, weights.values[bias + i]);
    }
    multiply(lower, below, v, t, v, out.at(), tape.padded);
    tape.addLogWeight(logDet);
  }

  @Override
  public void backward(Tape tape) {
    float[] g = tape.gradients;
    float[] scratch = tape.scratch;
    WeightGradient.addBias(tape, bias, features, g, out.gradient());
    Arrays.fill(scratch, dt, dt + d * STRIDE, 0);
    multiply(lowerT, above, g, out.gradient(), scratch, dt, tape.padded);
    multiply(upperT, below, scratch, dt, g, in.gradient(), tape.padded);
    lowerGradient(tape);
    upperGradient(tape);
  }

  private void multiply(
      float[] matrix, Band[] bands, float[] x, int xAt, float[] y, int yAt, int rows) {
    for (Band band : bands) {
      Gemm.add(matrix, 0, d, band, x, xAt, y, yAt, rows);
    }
  }

  private void lowerGradient(Tape tape) {
    outer(tape, t, tape.gradients, out.gradient());
    int next = lowerEntries;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < i; j++) {
        tape.parameterGradient[next++] += tape.scratch[dense + i * d + j];
      }
    }
  }

  private void upperGradient(Tape tape) {
    outer(tape, in.at(), tape.scratch, dt);
    double dLogWeights = 0;
    for (int i = 0; i < tape.rows; i++) {
      dLogWeights += tape.dLogWeight[i];
    }
    int next = upperEntries;
    for (int i = 0; i < d; i++) {
      double size = tape.scratch[dense + i * d + i] + dLogWeights / upper[i * d + i];
      tape.parameterGradient[diagonal + i] += (float) (sigmoid[i] * size);
      for (int j = i + 1; j < d; j++) {
        tape.parameterGradient[next++] += tape.scratch[dense + i * d + j];
      }
    }
  }

  /** The whole matrix dy xᵀ, of which one triangle is wanted. */
  private void outer(Tape tape, int x, float[] dy, int dyAt) {
    Arrays.fill(tape.scratch, dense, dense + d * d, 0);
    WeightGradient.add(tape, tape.scratch, dense, d, whole, tape.values, x, dy, dyAt, panels);
  }

  /** Substitution: t = L⁻¹ (z - b) from the first feature on, w = U⁻¹ t from the last one back. */
  @Override
  public void inverse(Tape tape) {
    for (int i = 0; i < d; i++) {
      solve(tape, out.at(), weights.values[bias + i], lower, 0, i, t, i);
    }
    for (int i = d - 1; i >= 0; i--) {
      solve(tape, t, 0, upper, i + 1, d, in.at(), i);
    }
    tape.addLogWeight(-logDet);
  }

  /** y_i = (x_i - shift - Σ_j m_ij y_j) / m_ii, j from {@code first} to {@code last - 1}. */
  private void solve(Tape tape, int x, float shift, float[] m, int first, int last, int y, int i) {
    float[] v = tape.values;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector sum = fromArray(SPECIES, v, x + i * STRIDE + s).sub(shift);
      for (int j = first; j < last; j++) {
        FloatVector known = fromArray(SPECIES, v, y + j * STRIDE + s);
        sum = known.fma(broadcast(SPECIES, -m[i * d + j]), sum);
      }
      sum.div(m[i * d + i]).intoArray(v, y + i * STRIDE + s);
    }
  }
}
