package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** s_k = e^{x_k} / Σ e^x over k columns, in place. */
public final class Softmax {
  private static final int NOTHING = -1;

  private Softmax() {}

  /** Without anything else. */
  public static void run(float[] v, int at, int columns, int rows) {
    run(v, at, columns, NOTHING, rows);
  }

  /** Where all rows are the same: of the first vector of rows, and for the others a copy of it. */
  static void runOnce(float[] v, int at, int columns, int rows) {
    run(v, at, columns, COUNT);
    for (int k = 0; k < columns; k++) {
      int column = at + k * STRIDE;
      FloatVector s = fromArray(SPECIES, v, column);
      for (int i = COUNT; i < rows; i += COUNT) {
        s.intoArray(v, column + i);
      }
    }
  }

  /** And keeps the largest x and, one column on, Σ e^{x - max}. */
  public static void run(float[] v, int at, int columns, int saved, int rows) {
    for (int i = 0; i < rows; i += COUNT) {
      int s = at + i;
      FloatVector max = fromArray(SPECIES, v, s);
      for (int k = 1; k < columns; k++) {
        FloatVector x = fromArray(SPECIES, v, s + k * STRIDE);
        max = max.blend(x, x.compare(VectorOperators.GT, max));
      }
      FloatVector sum = broadcast(SPECIES, 0);
      for (int k = 0; k < columns; k++) {
        FloatVector e = FloatMath.exp(fromArray(SPECIES, v, s + k * STRIDE).sub(max));
        e.intoArray(v, s + k * STRIDE);
        sum = sum.add(e);
      }
      if (saved != NOTHING) {
        max.intoArray(v, saved + i);
        sum.intoArray(v, saved + STRIDE + i);
      }
      for (int k = 0; k < columns; k++) {
        fromArray(SPECIES, v, s + k * STRIDE).div(sum).intoArray(v, s + k * STRIDE);
      }
    }
  }
}
