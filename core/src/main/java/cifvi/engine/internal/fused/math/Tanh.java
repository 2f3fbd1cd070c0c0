package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;

/** tanh of columns in place, and its derivative 1 - tanh². */
public final class Tanh {
  private Tanh() {}

  public static void forward(float[] a, int at, int columns, int rows) {
    for (int c = 0; c < columns; c++) {
      column(a, at + c * STRIDE, rows);
    }
  }

  private static void column(float[] a, int at, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatMath.tanh(fromArray(SPECIES, a, at + s)).intoArray(a, at + s);
    }
  }

  /** Multiplies d by the derivative where the tanh is {@code y}. */
  public static void backward(float[] d, int at, float[] y, int yAt, int columns, int rows) {
    for (int c = 0; c < columns; c++) {
      backwardColumn(d, at + c * STRIDE, y, yAt + c * STRIDE, rows);
    }
  }

  private static void backwardColumn(float[] d, int at, float[] tanh, int tanhAt, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector y = fromArray(SPECIES, tanh, tanhAt + s);
      FloatVector g = fromArray(SPECIES, d, at + s);
      g.sub(g.mul(y).mul(y)).intoArray(d, at + s);
    }
  }
}
