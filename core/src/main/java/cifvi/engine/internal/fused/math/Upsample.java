package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Planes;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Images;
import java.util.ArrayList;
import java.util.List;
import jdk.incubator.vector.FloatVector;

/**
 * Upsamples 7 x 7 to 28 x 28 bilinearly: pixel (y, x) = Σ_ab m_ya m_xb small(a, b), where row y of
 * m shares 1 between the two small pixels whose centres lie around the centre of y, and gives it to
 * one at the edge.
 */
public final class Upsample {
  private static final int SMALL = ImageVectorNet.SMALL;
  private static final float[][] M = interpolation();

  /** A sum Σ_k coefficient_k · column from_k. */
  @SuppressWarnings("ArrayRecordComponent") // a table that is never compared
  private record Sum(int[] from, float[] coefficient) {}

  private static final Sum[] FORWARD = new Sum[Images.PIXELS];
  private static final Sum[] BACKWARD = new Sum[SMALL * SMALL];

  static {
    for (int i = 0; i < FORWARD.length; i++) {
      int y = i / Images.SIDE;
      int x = i % Images.SIDE;
      FORWARD[i] = sum(BACKWARD.length, j -> M[y][j / SMALL] * M[x][j % SMALL]);
    }
    for (int j = 0; j < BACKWARD.length; j++) {
      int a = j / SMALL;
      int b = j % SMALL;
      BACKWARD[j] = sum(FORWARD.length, i -> M[i / Images.SIDE][a] * M[i % Images.SIDE][b]);
    }
  }

  private Upsample() {}

  private interface Coefficient {
    float of(int column);
  }

  private static Sum sum(int columns, Coefficient coefficient) {
    List<Integer> seen = new ArrayList<>();
    for (int k = 0; k < columns; k++) {
      if (coefficient.of(k) != 0) {
        seen.add(k);
      }
    }
    float[] coefficients = new float[seen.size()];
    for (int k = 0; k < coefficients.length; k++) {
      coefficients[k] = coefficient.of(seen.get(k));
    }
    return new Sum(seen.stream().mapToInt(k -> k * STRIDE).toArray(), coefficients);
  }

  private static float[][] interpolation() {
    float[][] m = new float[Images.SIDE][SMALL];
    for (int y = 0; y < Images.SIDE; y++) {
      float centre = Math.max((y + 0.5f) * SMALL / Images.SIDE - 0.5f, 0);
      int a = (int) centre;
      m[y][a] += 1 - (centre - a);
      m[y][Math.min(a + 1, SMALL - 1)] += centre - a;
    }
    return m;
  }

  /** From the small image to one of the {@link Planes}. */
  public static void forward(float[] v, int small, int plane, int rows) {
    for (int y = 0; y < Images.SIDE; y++) {
      for (int x = 0; x < Images.SIDE; x++) {
        run(FORWARD[y * Images.SIDE + x], v, small, plane + Planes.pixel(y, x), rows);
      }
    }
  }

  /** From the gradient of the large image to that of the small one. */
  public static void backward(float[] d, int large, int small, int rows) {
    for (int j = 0; j < BACKWARD.length; j++) {
      run(BACKWARD[j], d, large, small + j * STRIDE, rows);
    }
  }

  private static void run(Sum sum, float[] v, int from, int to, int rows) {
    int[] columns = sum.from;
    float[] coefficient = sum.coefficient;
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector a = broadcast(SPECIES, 0);
      for (int k = 0; k < columns.length; k++) {
        a = fromArray(SPECIES, v, from + columns[k] + s).fma(broadcast(SPECIES, coefficient[k]), a);
      }
      a.intoArray(v, to + s);
    }
  }
}
