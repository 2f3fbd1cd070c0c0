package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Planes;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Images;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
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

  private static final Sum[] FORWARD =
      sums(Images.SIDE, SMALL, (y, x, a, b) -> M[y][a] * M[x][b], i -> i * STRIDE);
  private static final Sum[] BACKWARD =
      sums(SMALL, Images.SIDE, (a, b, y, x) -> M[y][a] * M[x][b], Upsample::framed);

  private Upsample() {}

  /** What pixel (y, x) of the result gets of pixel (i, j). */
  private interface Coefficient {
    float of(int y, int x, int i, int j);
  }

  /** Where a pixel of an image with a border lies. */
  private static int framed(int pixel) {
    return Planes.pixel(pixel / Images.SIDE, pixel % Images.SIDE);
  }

  /**
   * One sum for every pixel of an image of side {@code to}, over those of one of {@code from}.
   *
   * @param place of a pixel of the latter
   */
  private static Sum[] sums(int to, int from, Coefficient coefficient, IntUnaryOperator place) {
    Sum[] sums = new Sum[to * to];
    for (int p = 0; p < sums.length; p++) {
      int y = p / to;
      int x = p % to;
      int[] seen =
          IntStream.range(0, from * from)
              .filter(k -> coefficient.of(y, x, k / from, k % from) != 0)
              .toArray();
      float[] coefficients = new float[seen.length];
      for (int k = 0; k < seen.length; k++) {
        coefficients[k] = coefficient.of(y, x, seen[k] / from, seen[k] % from);
        seen[k] = place.applyAsInt(seen[k]);
      }
      sums[p] = new Sum(seen, coefficients);
    }
    return sums;
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

  /** From the gradient of the large image, which has a border, to that of the small one. */
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
