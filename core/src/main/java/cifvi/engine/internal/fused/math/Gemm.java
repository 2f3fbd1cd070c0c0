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
          float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int yAt, int rows) {
        int s = 0;
        for (; s + WIDE <= rows; s += WIDE) {
          TileSums.four(w, at, ld, inputs, x, xAt + s, y, yAt + s);
        }
        for (; s < rows; s += COUNT) {
          TileSums.fourNarrow(w, at, ld, inputs, x, xAt + s, y, yAt + s);
        }
      }
    },
    ONE(1) {
      @Override
      void add(
          float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int yAt, int rows) {
        int s = 0;
        for (; s + WIDE <= rows; s += WIDE) {
          TileSums.oneWide(w, at, inputs, x, xAt + s, y, yAt + s);
        }
        for (; s < rows; s += COUNT) {
          TileSums.one(w, at, inputs, x, xAt + s, y, yAt + s);
        }
      }
    };

    private static final Tile[] ALL = values();

    private final int outputs;

    Tile(int outputs) {
      this.outputs = outputs;
    }

    abstract void add(
        float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int yAt, int rows);
  }

  private Gemm() {}

  /**
   * The part of one band.
   *
   * @param ld distance of the weights of two outputs; those of one output are adjacent
   */
  public static void add(
      float[] w, int at, int ld, Band band, float[] x, int xAt, float[] y, int yAt, int rows) {
    int height = band.last() - band.first() > DEPTH / 2 ? WIDE : rows;
    for (int i = band.first(); i < band.last(); i += DEPTH) {
      int inputs = Math.min(band.last() - i, DEPTH);
      for (int s = 0; s < rows; s += height) {
        int here = Math.min(height, rows - s);
        int j = band.from();
        for (Tile tile : Tile.ALL) {
          for (; j + tile.outputs <= band.to(); j += tile.outputs) {
            int to = yAt + j * STRIDE + s;
            tile.add(w, at + j * ld + i, ld, inputs, x, xAt + i * STRIDE + s, y, to, here);
          }
        }
      }
    }
  }
}
