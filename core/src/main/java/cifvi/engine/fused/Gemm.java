package cifvi.engine.fused;

import static cifvi.engine.fused.Lanes.COUNT;
import static cifvi.engine.fused.Lanes.SPECIES;
import static cifvi.engine.fused.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import jdk.incubator.vector.FloatVector;

/**
 * y_j += Σ_i w_ji x_i for the rows of a block: the matrix product of every linear map, forward with
 * W and backward with its transpose.
 *
 * <p>Tiles of four outputs by three vectors of rows keep twelve sums in registers: seven loads feed
 * twelve multiply-adds. Narrower tiles finish what is left over.
 */
final class Gemm {
  private static final int WIDE = 3 * COUNT;

  /**
   * Inputs summed at a time: few enough for the first-level cache, and for small rounding errors.
   */
  private static final int DEPTH = 128;

  /**
   * The outputs of one tile. They are called through a class of many shapes, so that each is
   * compiled on its own.
   */
  private enum Tile {
    FOUR(4) {
      @Override
      void add(
          float[] w,
          int at,
          int ld,
          int first,
          int last,
          float[] x,
          int xAt,
          float[] y,
          int yAt,
          int rows) {
        int s = 0;
        for (; s + WIDE <= rows; s += WIDE) {
          four(w, at, ld, first, last, x, xAt + s, y, yAt + s);
        }
        for (; s < rows; s += COUNT) {
          fourNarrow(w, at, ld, first, last, x, xAt + s, y, yAt + s);
        }
      }
    },
    TWO(2) {
      @Override
      void add(
          float[] w,
          int at,
          int ld,
          int first,
          int last,
          float[] x,
          int xAt,
          float[] y,
          int yAt,
          int rows) {
        int s = 0;
        for (; s + WIDE <= rows; s += WIDE) {
          two(w, at, ld, first, last, x, xAt + s, y, yAt + s);
        }
        for (; s < rows; s += COUNT) {
          one(w, at, first, last, x, xAt + s, y, yAt + s);
          one(w, at + ld, first, last, x, xAt + s, y, yAt + STRIDE + s);
        }
      }
    },
    ONE(1) {
      @Override
      void add(
          float[] w,
          int at,
          int ld,
          int first,
          int last,
          float[] x,
          int xAt,
          float[] y,
          int yAt,
          int rows) {
        int s = 0;
        for (; s + WIDE <= rows; s += WIDE) {
          oneWide(w, at, first, last, x, xAt + s, y, yAt + s);
        }
        for (; s < rows; s += COUNT) {
          one(w, at, first, last, x, xAt + s, y, yAt + s);
        }
      }
    };

    private static final Tile[] ALL = values();

    private final int outputs;

    Tile(int outputs) {
      this.outputs = outputs;
    }

    abstract void add(
        float[] w,
        int at,
        int ld,
        int first,
        int last,
        float[] x,
        int xAt,
        float[] y,
        int yAt,
        int rows);
  }

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
    int height = last - first > DEPTH / 2 ? WIDE : rows;
    for (int i = first; i < last; i += DEPTH) {
      int end = Math.min(last, i + DEPTH);
      for (int s = 0; s < rows; s += height) {
        int here = Math.min(height, rows - s);
        tiles(w, at, ld, from, to, i, end, x, xAt + s, y, yAt + s, here);
      }
    }
  }

  private static void tiles(
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
    for (Tile tile : Tile.ALL) {
      for (; j + tile.outputs <= to; j += tile.outputs) {
        tile.add(w, at + j * ld, ld, first, last, x, xAt, y, yAt + j * STRIDE, rows);
      }
    }
  }

  static void four(
      float[] w, int at, int ld, int first, int last, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int y2 = y1 + STRIDE;
    int y3 = y2 + STRIDE;
    int w1 = at + ld;
    int w2 = w1 + ld;
    int w3 = w2 + ld;
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    FloatVector a2 = broadcast(SPECIES, 0);
    FloatVector b0 = broadcast(SPECIES, 0);
    FloatVector b1 = broadcast(SPECIES, 0);
    FloatVector b2 = broadcast(SPECIES, 0);
    FloatVector c0 = broadcast(SPECIES, 0);
    FloatVector c1 = broadcast(SPECIES, 0);
    FloatVector c2 = broadcast(SPECIES, 0);
    FloatVector d0 = broadcast(SPECIES, 0);
    FloatVector d1 = broadcast(SPECIES, 0);
    FloatVector d2 = broadcast(SPECIES, 0);
    for (int i = first; i < last; i++) {
      FloatVector x0 = fromArray(SPECIES, x, xAt + i * STRIDE);
      FloatVector x1 = fromArray(SPECIES, x, xAt + i * STRIDE + COUNT);
      FloatVector x2 = fromArray(SPECIES, x, xAt + i * STRIDE + 2 * COUNT);
      FloatVector v = broadcast(SPECIES, w[at + i]);
      a0 = v.fma(x0, a0);
      a1 = v.fma(x1, a1);
      a2 = v.fma(x2, a2);
      v = broadcast(SPECIES, w[w1 + i]);
      b0 = v.fma(x0, b0);
      b1 = v.fma(x1, b1);
      b2 = v.fma(x2, b2);
      v = broadcast(SPECIES, w[w2 + i]);
      c0 = v.fma(x0, c0);
      c1 = v.fma(x1, c1);
      c2 = v.fma(x2, c2);
      v = broadcast(SPECIES, w[w3 + i]);
      d0 = v.fma(x0, d0);
      d1 = v.fma(x1, d1);
      d2 = v.fma(x2, d2);
    }
    a0.add(fromArray(SPECIES, y, y0)).intoArray(y, y0);
    a1.add(fromArray(SPECIES, y, y0 + COUNT)).intoArray(y, y0 + COUNT);
    a2.add(fromArray(SPECIES, y, y0 + 2 * COUNT)).intoArray(y, y0 + 2 * COUNT);
    b0.add(fromArray(SPECIES, y, y1)).intoArray(y, y1);
    b1.add(fromArray(SPECIES, y, y1 + COUNT)).intoArray(y, y1 + COUNT);
    b2.add(fromArray(SPECIES, y, y1 + 2 * COUNT)).intoArray(y, y1 + 2 * COUNT);
    c0.add(fromArray(SPECIES, y, y2)).intoArray(y, y2);
    c1.add(fromArray(SPECIES, y, y2 + COUNT)).intoArray(y, y2 + COUNT);
    c2.add(fromArray(SPECIES, y, y2 + 2 * COUNT)).intoArray(y, y2 + 2 * COUNT);
    d0.add(fromArray(SPECIES, y, y3)).intoArray(y, y3);
    d1.add(fromArray(SPECIES, y, y3 + COUNT)).intoArray(y, y3 + COUNT);
    d2.add(fromArray(SPECIES, y, y3 + 2 * COUNT)).intoArray(y, y3 + 2 * COUNT);
  }

  static void fourNarrow(
      float[] w, int at, int ld, int first, int last, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int y2 = y1 + STRIDE;
    int y3 = y2 + STRIDE;
    int w1 = at + ld;
    int w2 = w1 + ld;
    int w3 = w2 + ld;
    FloatVector a = broadcast(SPECIES, 0);
    FloatVector b = broadcast(SPECIES, 0);
    FloatVector c = broadcast(SPECIES, 0);
    FloatVector d = broadcast(SPECIES, 0);
    for (int i = first; i < last; i++) {
      FloatVector v = fromArray(SPECIES, x, xAt + i * STRIDE);
      a = v.fma(broadcast(SPECIES, w[at + i]), a);
      b = v.fma(broadcast(SPECIES, w[w1 + i]), b);
      c = v.fma(broadcast(SPECIES, w[w2 + i]), c);
      d = v.fma(broadcast(SPECIES, w[w3 + i]), d);
    }
    a.add(fromArray(SPECIES, y, y0)).intoArray(y, y0);
    b.add(fromArray(SPECIES, y, y1)).intoArray(y, y1);
    c.add(fromArray(SPECIES, y, y2)).intoArray(y, y2);
    d.add(fromArray(SPECIES, y, y3)).intoArray(y, y3);
  }

  static void two(
      float[] w, int at, int ld, int first, int last, float[] x, int xAt, float[] y, int y0) {
    int y1 = y0 + STRIDE;
    int w1 = at + ld;
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    FloatVector a2 = broadcast(SPECIES, 0);
    FloatVector b0 = broadcast(SPECIES, 0);
    FloatVector b1 = broadcast(SPECIES, 0);
    FloatVector b2 = broadcast(SPECIES, 0);
    for (int i = first; i < last; i++) {
      FloatVector x0 = fromArray(SPECIES, x, xAt + i * STRIDE);
      FloatVector x1 = fromArray(SPECIES, x, xAt + i * STRIDE + COUNT);
      FloatVector x2 = fromArray(SPECIES, x, xAt + i * STRIDE + 2 * COUNT);
      FloatVector v = broadcast(SPECIES, w[at + i]);
      a0 = v.fma(x0, a0);
      a1 = v.fma(x1, a1);
      a2 = v.fma(x2, a2);
      v = broadcast(SPECIES, w[w1 + i]);
      b0 = v.fma(x0, b0);
      b1 = v.fma(x1, b1);
      b2 = v.fma(x2, b2);
    }
    a0.add(fromArray(SPECIES, y, y0)).intoArray(y, y0);
    a1.add(fromArray(SPECIES, y, y0 + COUNT)).intoArray(y, y0 + COUNT);
    a2.add(fromArray(SPECIES, y, y0 + 2 * COUNT)).intoArray(y, y0 + 2 * COUNT);
    b0.add(fromArray(SPECIES, y, y1)).intoArray(y, y1);
    b1.add(fromArray(SPECIES, y, y1 + COUNT)).intoArray(y, y1 + COUNT);
    b2.add(fromArray(SPECIES, y, y1 + 2 * COUNT)).intoArray(y, y1 + 2 * COUNT);
  }

  static void oneWide(
      float[] w, int at, int first, int last, float[] x, int xAt, float[] y, int yAt) {
    FloatVector a0 = broadcast(SPECIES, 0);
    FloatVector a1 = broadcast(SPECIES, 0);
    FloatVector a2 = broadcast(SPECIES, 0);
    for (int i = first; i < last; i++) {
      FloatVector v = broadcast(SPECIES, w[at + i]);
      a0 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE), a0);
      a1 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + COUNT), a1);
      a2 = v.fma(fromArray(SPECIES, x, xAt + i * STRIDE + 2 * COUNT), a2);
    }
    a0.add(fromArray(SPECIES, y, yAt)).intoArray(y, yAt);
    a1.add(fromArray(SPECIES, y, yAt + COUNT)).intoArray(y, yAt + COUNT);
    a2.add(fromArray(SPECIES, y, yAt + 2 * COUNT)).intoArray(y, yAt + 2 * COUNT);
  }

  static void one(float[] w, int at, int first, int last, float[] x, int xAt, float[] y, int yAt) {
    FloatVector a = broadcast(SPECIES, 0);
    for (int i = first; i < last; i++) {
      a = fromArray(SPECIES, x, xAt + i * STRIDE).fma(broadcast(SPECIES, w[at + i]), a);
    }
    a.add(fromArray(SPECIES, y, yAt)).intoArray(y, yAt);
  }
}
