package cifvi.engine.internal.fused.decoder;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Planes.SIDE;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.math.CoinRows;
import cifvi.engine.internal.fused.math.WeightGradient;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Passes;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.nn.Images;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * log p(x, z) = log N(z; 0, I) + Σ_i x_i l_i - log(1 + e^{l_i}) of the observed image, whose logits
 * l somebody makes of z.
 *
 * <pre>
 *   ∂/∂l = x - σ(l),  ∂/∂z = -z and what comes back from the logits
 * </pre>
 */
final class ImageScore {
  private static final float HALF_LOG_2PI = (float) (0.5 * Math.log(2 * Math.PI));
  private static final int FRAMED = SIDE * SIDE;

  private final Layout.Var z;
  private final Planes planes;
  private final int residuals;
  private final int log;
  private final Passes passes;

  /** Of logits, or of gradients in them, with a border as {@link Planes} have it. */
  final int plane;

  ImageScore(Layout.Var z, Planes planes, Layout layout, Layout.Scratch scratch) {
    this.z = z;
    this.planes = planes;
    residuals = layout.rows(Images.PIXELS);
    plane = scratch.rows(FRAMED);
    log = scratch.rows(1);
    passes = new Passes(this::prior, this::coins, this::total);
  }

  /** Adds what the logits in the plane give. */
  void forward(Tape tape) {
    Arrays.fill(tape.logJoint, 0);
    passes.run(tape);
  }

  private void coins(Tape tape) {
    for (int y = 0; y < Images.SIDE; y++) {
      int x = planes.observed() + Planes.pixel(y, 0);
      CoinRows.forward(tape, x, plane + Planes.pixel(y, 0), residuals(y), log, Images.SIDE);
      addLogJoint(tape);
    }
  }

  private void total(Tape tape) {
    for (int i = 0; i < tape.rows; i++) {
      tape.logWeight[i] += tape.logJoint[i];
    }
  }

  /** log N(z; 0, I). */
  private void prior(Tape tape) {
    float[] v = tape.values;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector sum = broadcast(SPECIES, -HALF_LOG_2PI * z.size());
      for (int c = 0; c < z.size(); c++) {
        FloatVector e = fromArray(SPECIES, v, z.at() + c * STRIDE + s);
        sum = sum.sub(e.mul(e).mul(0.5f));
      }
      sum.intoArray(tape.scratch, log + s);
    }
    addLogJoint(tape);
  }

  /** In float64, one term of every row. */
  private void addLogJoint(Tape tape) {
    for (int i = 0; i < tape.rows; i++) {
      tape.logJoint[i] += tape.scratch[log + i];
    }
  }

  private int residuals(int y) {
    return residuals + y * Images.SIDE * STRIDE;
  }

  /**
   * Writes the gradient in the logits to the plane, with zeros around it.
   *
   * @return its sum, of so many terms that float32 would lose the last digits
   */
  double backward(Tape tape) {
    float[] d = tape.scratch;
    Arrays.fill(d, plane, plane + FRAMED * STRIDE, 0);
    double sum = 0;
    for (int y = 0; y < Images.SIDE; y++) {
      int row = plane + Planes.pixel(y, 0);
      CoinRows.backward(tape, residuals(y), row, Images.SIDE);
      sum += WeightGradient.sumOf(tape, d, row, Images.SIDE);
    }
    return sum;
  }

  /** Adds the prior's part to the gradient in z. */
  void backwardPrior(Tape tape) {
    for (int c = 0; c < z.size(); c++) {
      backwardPrior(tape, z.at() + c * STRIDE, z.gradient() + c * STRIDE);
    }
  }

  private static void backwardPrior(Tape tape, int z, int dz) {
    float[] g = tape.gradients;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector e = fromArray(SPECIES, tape.values, z + s);
      FloatVector before = fromArray(SPECIES, g, dz + s);
      before.sub(e.mul(fromArray(SPECIES, tape.dLogWeight, s))).intoArray(g, dz + s);
    }
  }
}
