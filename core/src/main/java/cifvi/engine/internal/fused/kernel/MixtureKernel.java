package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.math.FloatMath;
import cifvi.engine.internal.fused.math.Softmax;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.target.MixtureTarget;
import jdk.incubator.vector.FloatVector;

/**
 * {@link MixtureTarget}: log p(z) = log Σ_k e^{l_k}, l_k = f_k - ½ |e_k|², e_k = A_k (z - μ_k), and
 *
 * <pre>
 *   ∂/∂z = -Σ_k p_k A_kᵀ e_k,  p_k = e^{l_k} / Σ e^l
 * </pre>
 *
 * <p>A_k is lower triangular.
 */
public final class MixtureKernel implements Kernel {
  private final Layout.Var in;
  private final int components;
  private final float[] means; // [K, d]
  private final float[] whitening; // [K, d, d], A_kᵀ
  private final float[] logFactors; // [K]
  private final int responsibilities;
  private final int saved;

  public MixtureKernel(MixtureTarget target, Layout.Var in, Layout layout) {
    this.in = in;
    means = Weights.constant(target.means());
    whitening = Weights.constant(target.whitening());
    logFactors = Weights.constant(target.logFactors());
    components = logFactors.length;
    responsibilities = layout.rows(components);
    saved = layout.rows(2);
  }

  @Override
  public void forward(Tape tape) {
    float[] v = tape.values;
    for (int k = 0; k < components; k++) {
      exponent(v, k, responsibilities + k * STRIDE, tape.padded);
    }
    Softmax.run(v, responsibilities, components, saved, tape.padded);
    FloatMath.addLog(v, saved, saved + STRIDE, 1, tape.padded);
    tape.addLogWeight(v, saved);
    for (int i = 0; i < tape.rows; i++) {
      tape.logJoint[i] = v[saved + i];
    }
  }

  @Override
  public void backward(Tape tape) {
    for (int k = 0; k < components; k++) {
      for (int i = 0; i < in.size(); i++) {
        backward(tape, k, i);
      }
    }
  }

  /** The path back from z does not look at p. */
  @Override
  public void inverse(Tape tape) {}

  private FloatVector whitened(float[] v, int k, int i, int s) {
    int d = in.size();
    FloatVector e = broadcast(SPECIES, 0);
    for (int j = 0; j <= i; j++) {
      FloatVector centred = fromArray(SPECIES, v, in.at() + j * STRIDE + s).sub(means[k * d + j]);
      e = centred.fma(broadcast(SPECIES, whitening[(k * d + j) * d + i]), e);
    }
    return e;
  }

  /** l_k. */
  private void exponent(float[] v, int k, int to, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector sum = broadcast(SPECIES, 0);
      for (int i = 0; i < in.size(); i++) {
        FloatVector e = whitened(v, k, i, s);
        sum = e.fma(e, sum);
      }
      sum.fma(broadcast(SPECIES, -0.5f), broadcast(SPECIES, logFactors[k])).intoArray(v, to + s);
    }
  }

  /** The part of component k and whitened coordinate i. */
  private void backward(Tape tape, int k, int i) {
    int d = in.size();
    float[] g = tape.gradients;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector p = fromArray(SPECIES, tape.values, responsibilities + k * STRIDE + s);
      FloatVector factor =
          whitened(tape.values, k, i, s).mul(p).mul(fromArray(SPECIES, tape.dLogWeight, s)).neg();
      for (int j = 0; j <= i; j++) {
        int dz = in.gradient() + j * STRIDE + s;
        factor
            .fma(broadcast(SPECIES, whitening[(k * d + j) * d + i]), fromArray(SPECIES, g, dz))
            .intoArray(g, dz);
      }
    }
  }
}
