package cifvi.engine.fused;

import static cifvi.engine.fused.Lanes.COUNT;
import static cifvi.engine.fused.Lanes.all;
import static cifvi.engine.fused.Lanes.load;
import static cifvi.engine.fused.Tape.STRIDE;

import jdk.incubator.vector.FloatVector;

/**
 * y_j += Σ_i w_ji x_i for the rows of a block: the matrix product of every linear map, forward with
 * W and backward with its transpose.
 *
 * <p>Tiles of four outputs by three vectors of rows keep twelve sums in registers: seven loads feed
 * twelve multiply-adds. Narrower tiles finish what is left over.
 */
final class Gemm {
  private static final int TILE = 3 * COUNT;

  private Gemm() {}

  /**
   * Outputs {@code from} to {@code to - 1} from inputs {@code first} to {@code last - 1}.
   *
   * @param ld distance of the weights of two outputs; those of one output are adjacent
   */
  static void add(
      float[] w,
      int at,
      int ld,
      int from,
      int to,
      int first,
      int last,
      float[] x,
      int xAt,
      float[] y,
      int yAt,
      int rows) {
    int j = from;
    for (; j + 4 <= to; j += 4) {
      int s = 0;
      for (; s + TILE <= rows; s += TILE) {
        four(w, at + j * ld, ld, first, last, x, xAt + s, y, yAt + j * STRIDE + s);
      }
      for (; s < rows; s += COUNT) {
        fourNarrow(w, at + j * ld, ld, first, last, x, xAt + s, y, yAt + j * STRIDE + s);
      }
    }
    for (; j + 2 <= to; j += 2) {
      int s = 0;
      for (; s + TILE <= rows; s += TILE) {
        two(w, at + j * ld, ld, first, last, x, xAt + s, y, yAt + j * STRIDE + s);
      }
      for (; s < rows; s += COUNT) {
        one(w, at + j * ld, first, last, x, xAt + s, y, yAt + j * STRIDE + s);
        one(w, at + (j + 1) * ld, first, last, x, xAt + s, y, yAt + (j + 1) * STRIDE + s);
      }
    }
    if (j < to) {
      int s = 0;
      for (; s + TILE <= rows; s += TILE) {
        oneWide(w, at + j * ld, first, last, x, xAt + s, y, yAt + j * STRIDE + s);
      }
      for (; s < rows; s += COUNT) {
        one(w, at + j * ld, first, last, x, xAt + s, y, yAt + j * STRIDE + s);
      }
    }
  }

  private static void four(
      float[] w, int at, int ld, int first, int last, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int y2 = y1 + STRIDE;
    int y3 = y2 + STRIDE;
    int w1 = at + ld;
    int w2 = w1 + ld;
    int w3 = w2 + ld;
    FloatVector a0 = load(y, y0);
    FloatVector a1 = load(y, y0 + COUNT);
    FloatVector a2 = load(y, y0 + 2 * COUNT);
    FloatVector b0 = load(y, y1);
    FloatVector b1 = load(y, y1 + COUNT);
    FloatVector b2 = load(y, y1 + 2 * COUNT);
    FloatVector c0 = load(y, y2);
    FloatVector c1 = load(y, y2 + COUNT);
    FloatVector c2 = load(y, y2 + 2 * COUNT);
    FloatVector d0 = load(y, y3);
    FloatVector d1 = load(y, y3 + COUNT);
    FloatVector d2 = load(y, y3 + 2 * COUNT);
    for (int i = first; i < last; i++) {
      FloatVector x0 = load(x, xAt + i * STRIDE);
      FloatVector x1 = load(x, xAt + i * STRIDE + COUNT);
      FloatVector x2 = load(x, xAt + i * STRIDE + 2 * COUNT);
      FloatVector v = all(w[at + i]);
      a0 = v.fma(x0, a0);
      a1 = v.fma(x1, a1);
      a2 = v.fma(x2, a2);
      v = all(w[w1 + i]);
      b0 = v.fma(x0, b0);
      b1 = v.fma(x1, b1);
      b2 = v.fma(x2, b2);
      v = all(w[w2 + i]);
      c0 = v.fma(x0, c0);
      c1 = v.fma(x1, c1);
      c2 = v.fma(x2, c2);
      v = all(w[w3 + i]);
      d0 = v.fma(x0, d0);
      d1 = v.fma(x1, d1);
      d2 = v.fma(x2, d2);
    }
    a0.intoArray(y, y0);
    a1.intoArray(y, y0 + COUNT);
    a2.intoArray(y, y0 + 2 * COUNT);
    b0.intoArray(y, y1);
    b1.intoArray(y, y1 + COUNT);
    b2.intoArray(y, y1 + 2 * COUNT);
    c0.intoArray(y, y2);
    c1.intoArray(y, y2 + COUNT);
    c2.intoArray(y, y2 + 2 * COUNT);
    d0.intoArray(y, y3);
    d1.intoArray(y, y3 + COUNT);
    d2.intoArray(y, y3 + 2 * COUNT);
  }

  private static void fourNarrow(
      float[] w, int at, int ld, int first, int last, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int y2 = y1 + STRIDE;
    int y3 = y2 + STRIDE;
    int w1 = at + ld;
    int w2 = w1 + ld;
    int w3 = w2 + ld;
    FloatVector a = load(y, y0);
    FloatVector b = load(y, y1);
    FloatVector c = load(y, y2);
    FloatVector d = load(y, y3);
    for (int i = first; i < last; i++) {
      FloatVector v = load(x, xAt + i * STRIDE);
      a = v.fma(all(w[at + i]), a);
      b = v.fma(all(w[w1 + i]), b);
      c = v.fma(all(w[w2 + i]), c);
      d = v.fma(all(w[w3 + i]), d);
    }
    a.intoArray(y, y0);
    b.intoArray(y, y1);
    c.intoArray(y, y2);
    d.intoArray(y, y3);
  }

  private static void two(
      float[] w, int at, int ld, int first, int last, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int w1 = at + ld;
    FloatVector a0 = load(y, y0);
    FloatVector a1 = load(y, y0 + COUNT);
    FloatVector a2 = load(y, y0 + 2 * COUNT);
    FloatVector b0 = load(y, y1);
    FloatVector b1 = load(y, y1 + COUNT);
    FloatVector b2 = load(y, y1 + 2 * COUNT);
    for (int i = first; i < last; i++) {
      FloatVector x0 = load(x, xAt + i * STRIDE);
      FloatVector x1 = load(x, xAt + i * STRIDE + COUNT);
      FloatVector x2 = load(x, xAt + i * STRIDE + 2 * COUNT);
      FloatVector v = all(w[at + i]);
      a0 = v.fma(x0, a0);
      a1 = v.fma(x1, a1);
      a2 = v.fma(x2, a2);
      v = all(w[w1 + i]);
      b0 = v.fma(x0, b0);
      b1 = v.fma(x1, b1);
      b2 = v.fma(x2, b2);
    }
    a0.intoArray(y, y0);
    a1.intoArray(y, y0 + COUNT);
    a2.intoArray(y, y0 + 2 * COUNT);
    b0.intoArray(y, y1);
    b1.intoArray(y, y1 + COUNT);
    b2.intoArray(y, y1 + 2 * COUNT);
  }

  private static void oneWide(
      float[] w, int at, int first, int last, float[] x, int xAt, float[] y, int yAt) {
    FloatVector a0 = load(y, yAt);
    FloatVector a1 = load(y, yAt + COUNT);
    FloatVector a2 = load(y, yAt + 2 * COUNT);
    for (int i = first; i < last; i++) {
      FloatVector v = all(w[at + i]);
      a0 = v.fma(load(x, xAt + i * STRIDE), a0);
      a1 = v.fma(load(x, xAt + i * STRIDE + COUNT), a1);
      a2 = v.fma(load(x, xAt + i * STRIDE + 2 * COUNT), a2);
    }
    a0.intoArray(y, yAt);
    a1.intoArray(y, yAt + COUNT);
    a2.intoArray(y, yAt + 2 * COUNT);
  }

  private static void one(
      float[] w, int at, int first, int last, float[] x, int xAt, float[] y, int yAt) {
    FloatVector a = load(y, yAt);
    for (int i = first; i < last; i++) {
      a = load(x, xAt + i * STRIDE).fma(all(w[at + i]), a);
    }
    a.intoArray(y, yAt);
  }
}
