package cifvi.engine.internal.fused.pictures;

import static cifvi.engine.internal.fused.pictures.WideLanes.COUNT;
import static cifvi.engine.internal.fused.pictures.WideLanes.SPECIES;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;

/**
 * The linear maps of Winograd's F(4, 3) in one dimension: four outputs of a correlation of three
 * weights g with six inputs d are Aᵀ (G g ⊙ Bᵀ d), six products instead of twelve. Each map has its
 * adjoint, for gradients.
 *
 * <p>The maps evaluate and interpolate polynomials at 0, ±a, ±b and infinity. a = 5/8 and b = 3/2
 * round less than half as much as the usual 1 and 2.
 */
public enum Winograd {
  /** Bᵀ d. */
  INPUT(6, 6) {
    @Override
    void lines(
        float[] x,
        int at,
        int step,
        int next,
        float[] y,
        int to,
        int toStep,
        int toNext,
        int count,
        int channels) {
      for (int n = 0; n < count; n++) {
        for (int c = 0; c < channels; c += COUNT) {
          int i = at + n * next + c;
          int o = to + n * toNext + c;
          FloatVector d1 = fromArray(SPECIES, x, i + step);
          FloatVector d2 = fromArray(SPECIES, x, i + 2 * step);
          FloatVector d3 = fromArray(SPECIES, x, i + 3 * step);
          FloatVector d4 = fromArray(SPECIES, x, i + 4 * step);
          FloatVector even = d4.sub(d2.mul(BB));
          FloatVector odd = d3.sub(d1.mul(BB)).mul(A);
          even.add(odd).intoArray(y, o + toStep);
          even.sub(odd).intoArray(y, o + 2 * toStep);
          even = d4.sub(d2.mul(AA));
          odd = d3.sub(d1.mul(AA)).mul(B);
          even.add(odd).intoArray(y, o + 3 * toStep);
          even.sub(odd).intoArray(y, o + 4 * toStep);
          FloatVector d0 = fromArray(SPECIES, x, i);
          d0.mul(AABB).sub(d2.mul(AA_BB)).add(d4).intoArray(y, o);
          FloatVector d5 = fromArray(SPECIES, x, i + 5 * step);
          d1.mul(AABB).sub(d3.mul(AA_BB)).add(d5).intoArray(y, o + 5 * toStep);
        }
      }
    }
  },

  /** B y. */
  INPUT_BACK(6, 6) {
    @Override
    void lines(
        float[] x,
        int at,
        int step,
        int next,
        float[] y,
        int to,
        int toStep,
        int toNext,
        int count,
        int channels) {
      for (int n = 0; n < count; n++) {
        for (int c = 0; c < channels; c += COUNT) {
          int i = at + n * next + c;
          int o = to + n * toNext + c;
          FloatVector y0 = fromArray(SPECIES, x, i);
          FloatVector y1 = fromArray(SPECIES, x, i + step);
          FloatVector y2 = fromArray(SPECIES, x, i + 2 * step);
          FloatVector y3 = fromArray(SPECIES, x, i + 3 * step);
          FloatVector y4 = fromArray(SPECIES, x, i + 4 * step);
          FloatVector y5 = fromArray(SPECIES, x, i + 5 * step);
          y0.mul(AABB).intoArray(y, o);
          y5.intoArray(y, o + 5 * toStep);
          FloatVector s = y1.add(y2);
          FloatVector t = y3.add(y4);
          y0.mul(-AA_BB).sub(s.mul(BB)).sub(t.mul(AA)).intoArray(y, o + 2 * toStep);
          y0.add(s).add(t).intoArray(y, o + 4 * toStep);
          s = y1.sub(y2).mul(A);
          t = y3.sub(y4).mul(B);
          y5.mul(AABB).sub(s.mul(BB)).sub(t.mul(AA)).intoArray(y, o + toStep);
          s.add(t).sub(y5.mul(AA_BB)).intoArray(y, o + 3 * toStep);
        }
      }
    }
  },

  /** Aᵀ m. */
  OUTPUT(6, 4) {
    @Override
    void lines(
        float[] x,
        int at,
        int step,
        int next,
        float[] y,
        int to,
        int toStep,
        int toNext,
        int count,
        int channels) {
      for (int n = 0; n < count; n++) {
        for (int c = 0; c < channels; c += COUNT) {
          int i = at + n * next + c;
          int o = to + n * toNext + c;
          FloatVector m1 = fromArray(SPECIES, x, i + step);
          FloatVector m2 = fromArray(SPECIES, x, i + 2 * step);
          FloatVector m3 = fromArray(SPECIES, x, i + 3 * step);
          FloatVector m4 = fromArray(SPECIES, x, i + 4 * step);
          FloatVector s = m1.add(m2);
          FloatVector t = m3.add(m4);
          s.add(t).add(fromArray(SPECIES, x, i)).intoArray(y, o);
          s.mul(AA).add(t.mul(BB)).intoArray(y, o + 2 * toStep);
          s = m1.sub(m2).mul(A);
          t = m3.sub(m4).mul(B);
          s.add(t).intoArray(y, o + toStep);
          s.mul(AA)
              .add(t.mul(BB))
              .add(fromArray(SPECIES, x, i + 5 * step))
              .intoArray(y, o + 3 * toStep);
        }
      }
    }
  },

  /** A y. */
  OUTPUT_BACK(4, 6) {
    @Override
    void lines(
        float[] x,
        int at,
        int step,
        int next,
        float[] y,
        int to,
        int toStep,
        int toNext,
        int count,
        int channels) {
      for (int n = 0; n < count; n++) {
        for (int c = 0; c < channels; c += COUNT) {
          int i = at + n * next + c;
          int o = to + n * toNext + c;
          FloatVector y0 = fromArray(SPECIES, x, i);
          FloatVector y1 = fromArray(SPECIES, x, i + step);
          FloatVector y2 = fromArray(SPECIES, x, i + 2 * step);
          FloatVector y3 = fromArray(SPECIES, x, i + 3 * step);
          y0.intoArray(y, o);
          y3.intoArray(y, o + 5 * toStep);
          FloatVector even = y2.mul(AA).add(y0);
          FloatVector odd = y3.mul(AA).add(y1).mul(A);
          even.add(odd).intoArray(y, o + toStep);
          even.sub(odd).intoArray(y, o + 2 * toStep);
          even = y2.mul(BB).add(y0);
          odd = y3.mul(BB).add(y1).mul(B);
          even.add(odd).intoArray(y, o + 3 * toStep);
          even.sub(odd).intoArray(y, o + 4 * toStep);
        }
      }
    }
  },

  /** G g. */
  WEIGHT(3, 6) {
    @Override
    void lines(
        float[] x,
        int at,
        int step,
        int next,
        float[] y,
        int to,
        int toStep,
        int toNext,
        int count,
        int channels) {
      for (int n = 0; n < count; n++) {
        for (int c = 0; c < channels; c += COUNT) {
          int i = at + n * next + c;
          int o = to + n * toNext + c;
          FloatVector g0 = fromArray(SPECIES, x, i);
          FloatVector g1 = fromArray(SPECIES, x, i + step);
          FloatVector g2 = fromArray(SPECIES, x, i + 2 * step);
          g0.mul(AT_0).intoArray(y, o);
          g2.intoArray(y, o + 5 * toStep);
          FloatVector even = g2.mul(AA).add(g0).mul(AT_A);
          FloatVector odd = g1.mul(A * AT_A);
          even.add(odd).intoArray(y, o + toStep);
          even.sub(odd).intoArray(y, o + 2 * toStep);
          even = g2.mul(BB).add(g0).mul(AT_B);
          odd = g1.mul(B * AT_B);
          even.add(odd).intoArray(y, o + 3 * toStep);
          even.sub(odd).intoArray(y, o + 4 * toStep);
        }
      }
    }
  },

  /** Gᵀ w. */
  WEIGHT_BACK(6, 3) {
    @Override
    void lines(
        float[] x,
        int at,
        int step,
        int next,
        float[] y,
        int to,
        int toStep,
        int toNext,
        int count,
        int channels) {
      for (int n = 0; n < count; n++) {
        for (int c = 0; c < channels; c += COUNT) {
          int i = at + n * next + c;
          int o = to + n * toNext + c;
          FloatVector w1 = fromArray(SPECIES, x, i + step);
          FloatVector w2 = fromArray(SPECIES, x, i + 2 * step);
          FloatVector w3 = fromArray(SPECIES, x, i + 3 * step);
          FloatVector w4 = fromArray(SPECIES, x, i + 4 * step);
          FloatVector s = w1.add(w2).mul(AT_A);
          FloatVector t = w3.add(w4).mul(AT_B);
          fromArray(SPECIES, x, i).mul(AT_0).add(s).add(t).intoArray(y, o);
          s.mul(AA)
              .add(t.mul(BB))
              .add(fromArray(SPECIES, x, i + 5 * step))
              .intoArray(y, o + 2 * toStep);
          w1.sub(w2).mul(A * AT_A).add(w3.sub(w4).mul(B * AT_B)).intoArray(y, o + toStep);
        }
      }
    }
  };

  /** Outputs of a tile on one side, and its points: the inputs of a tile. */
  public static final int TILE = 4;

  public static final int POINTS = 6;

  private static final float A = 0.625f;
  private static final float B = 1.5f;
  private static final float AA = A * A;
  private static final float BB = B * B;
  private static final float AABB = AA * BB;
  private static final float AA_BB = AA + BB;

  // One over the product of the differences from all other points, of 0, ±a and ±b.
  private static final float AT_0 = 1 / AABB;
  private static final float AT_A = 1 / (2 * AA * (AA - BB));
  private static final float AT_B = 1 / (2 * BB * (BB - AA));

  private final int in;
  private final int out;

  Winograd(int in, int out) {
    this.in = in;
    this.out = out;
  }

  /**
   * The map of lines of vectors.
   *
   * @param step distance of the vectors of a line
   * @param next distance of lines
   * @param channels of a vector, a multiple of the lanes
   */
  abstract void lines(
      float[] x,
      int at,
      int step,
      int next,
      float[] y,
      int to,
      int toStep,
      int toNext,
      int count,
      int channels);

  /**
   * The map down the columns of a square, then along its rows.
   *
   * @param down distance of vectors below each other, {@code right} of those side by side
   * @param between room for 36 vectors in {@code y}
   * @param channels of a vector, a multiple of the lanes
   */
  public void square(
      float[] x,
      int at,
      int down,
      int right,
      int between,
      float[] y,
      int to,
      int toDown,
      int toRight,
      int channels) {
    for (int column = 0; column < in; column++) {
      int middle = between + column * channels;
      lines(x, at + column * right, down, 0, y, middle, in * channels, 0, 1, channels);
    }
    for (int row = 0; row < out; row++) {
      int middle = between + row * in * channels;
      lines(y, middle, channels, 0, y, to + row * toDown, toRight, 0, 1, channels);
    }
  }
}
