package cifvi.engine.fused;

import static cifvi.engine.fused.Lanes.COUNT;
import static cifvi.engine.fused.Lanes.all;
import static cifvi.engine.fused.Lanes.load;
import static cifvi.engine.fused.Tape.STRIDE;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** s_k = e^{x_k} / Σ e^x over k columns, in place. */
final class Softmax {
  private Softmax() {}

  static void run(float[] v, int at, int columns, int rows) {
    for (int s = at; s < at + rows; s += COUNT) {
      FloatVector max = max(v, s, columns);
      scale(v, s, columns, all(1).div(exponentials(v, s, columns, max)));
    }
  }

  /** The same, with log Σ e^x written to {@code logs}. */
  static void run(float[] v, int at, int columns, float[] logs, int log, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector max = max(v, at + s, columns);
      FloatVector sum = exponentials(v, at + s, columns, max);
      scale(v, at + s, columns, all(1).div(sum));
      max.add(FloatMath.log(sum)).intoArray(logs, log + s);
    }
  }

  private static FloatVector max(float[] v, int at, int columns) {
    FloatVector max = load(v, at);
    for (int k = 1; k < columns; k++) {
      FloatVector x = load(v, at + k * STRIDE);
      max = max.blend(x, x.compare(VectorOperators.GT, max));
    }
    return max;
  }

  /** Writes e^{x_k - max}; returns their sum. */
  private static FloatVector exponentials(float[] v, int at, int columns, FloatVector max) {
    FloatVector sum = all(0);
    for (int k = 0; k < columns; k++) {
      FloatVector e = FloatMath.exp(load(v, at + k * STRIDE).sub(max));
      e.intoArray(v, at + k * STRIDE);
      sum = sum.add(e);
    }
    return sum;
  }

  private static void scale(float[] v, int at, int columns, FloatVector factor) {
    for (int k = 0; k < columns; k++) {
      load(v, at + k * STRIDE).mul(factor).intoArray(v, at + k * STRIDE);
    }
  }
}
