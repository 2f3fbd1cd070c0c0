package cifvi.engine.internal.fused.pictures;

import static cifvi.engine.internal.fused.pictures.WideLanes.COUNT;
import static cifvi.engine.internal.fused.pictures.WideLanes.SPECIES;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Loops over adjacent numbers of pictures, so many as whole vectors hold, or over pixels of them
 * with so many channels.
 */
public final class PixelRows {
  private PixelRows() {}

  /** y = relu(x). */
  public static void relu(float[] x, int at, float[] y, int to, int count) {
    for (int i = 0; i < count; i += COUNT) {
      fromArray(SPECIES, x, at + i).max(0).intoArray(y, to + i);
    }
  }

  /** y = x; for few numbers, where calling the system takes longer. */
  public static void copy(float[] x, int at, float[] y, int to, int count) {
    for (int i = 0; i < count; i += COUNT) {
      fromArray(SPECIES, x, at + i).intoArray(y, to + i);
    }
  }

  /** y += x. */
  public static void add(float[] x, int at, float[] y, int to, int count) {
    for (int i = 0; i < count; i += COUNT) {
      fromArray(SPECIES, y, to + i).add(fromArray(SPECIES, x, at + i)).intoArray(y, to + i);
    }
  }

  /** y = [x > 0] d. */
  public static void gate(float[] d, int at, float[] x, int xAt, float[] y, int to, int count) {
    for (int i = 0; i < count; i += COUNT) {
      broadcast(SPECIES, 0)
          .blend(
              fromArray(SPECIES, d, at + i),
              fromArray(SPECIES, x, xAt + i).compare(VectorOperators.GT, 0))
          .intoArray(y, to + i);
    }
  }

  /** y = x + b for every pixel. */
  public static void shift(
      float[] x, int at, float[] b, float[] y, int to, int pixels, int channels) {
    for (int c = 0; c < channels; c += COUNT) {
      FloatVector bias = fromArray(SPECIES, b, c);
      for (int i = c; i < pixels * channels; i += channels) {
        fromArray(SPECIES, x, at + i).add(bias).intoArray(y, to + i);
      }
    }
  }

  /** y = b for every pixel. */
  public static void fill(float[] b, float[] y, int to, int pixels, int channels) {
    for (int i = 0; i < pixels * channels; i += channels) {
      for (int c = 0; c < channels; c += COUNT) {
        fromArray(SPECIES, b, c).intoArray(y, to + i + c);
      }
    }
  }

  /** b += Σ x over the pixels. */
  public static void sum(float[] x, int at, float[] b, int bAt, int pixels, int channels) {
    for (int c = 0; c < channels; c += COUNT) {
      FloatVector sum = broadcast(SPECIES, 0);
      for (int i = c; i < pixels * channels; i += channels) {
        sum = sum.add(fromArray(SPECIES, x, at + i));
      }
      sum.add(fromArray(SPECIES, b, bAt + c)).intoArray(b, bAt + c);
    }
  }
}
