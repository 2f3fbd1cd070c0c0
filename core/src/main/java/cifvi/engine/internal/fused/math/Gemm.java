package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

/**
 * y_j += Σ_i w_ji x_i for the rows of a block: the matrix product of every linear map, forward with
 * W and backward with its transpose.
 *
 * <p>It is cut into tiles of outputs and rows whose sums fit into registers, {@link TileSums}.
 */
public final class Gemm {
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
          TileSums.four(w, at, ld, first, last, x, xAt + s, y, yAt + s);
        }
        for (; s < rows; s += COUNT) {
          TileSums.fourNarrow(w, at, ld, first, last, x, xAt + s, y, yAt + s);
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
          TileSums.two(w, at, ld, first, last, x, xAt + s, y, yAt + s);
        }
        for (; s < rows; s += COUNT) {
          TileSums.one(w, at, first, last, x, xAt + s, y, yAt + s);
          TileSums.one(w, at + ld, first, last, x, xAt + s, y, yAt + STRIDE + s);
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
          TileSums.oneWide(w, at, first, last, x, xAt + s, y, yAt + s);
        }
        for (; s < rows; s += COUNT) {
          TileSums.one(w, at, first, last, x, xAt + s, y, yAt + s);
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
  public static void add(
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
}
