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
  private static final int WIDE = 6 * COUNT;
  private static final int PAIR = 2 * COUNT;

  /**
   * Inputs summed at a time: few enough for the first-level cache, and for small rounding errors.
   */
  private static final int DEPTH = 128;

  /**
   * The outputs of one tile. They are called through a class of many shapes, so that each is
   * compiled on its own.
   */
  private enum Tile {
    TWO_WIDE(2) {
      @Override
      void add(
          float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int yAt, int rows) {
        for (int s = 0; s < rows; s += WIDE) {
          TileSums.twoWide(w, at, ld, inputs, x, xAt + s, y, yAt + s);
        }
      }
    },
    ONE_WIDE(1) {
      @Override
      void add(
          float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int yAt, int rows) {
        for (int s = 0; s < rows; s += WIDE) {
          TileSums.oneWide(w, at, inputs, x, xAt + s, y, yAt + s);
        }
      }
    },
    FOUR(4) {
      @Override
      void add(
          float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int yAt, int rows) {
        int s = 0;
        for (; s + PAIR <= rows; s += PAIR) {
          TileSums.fourPair(w, at, ld, inputs, x, xAt + s, y, yAt + s);
        }
        if (s < rows) {
          TileSums.four(w, at, ld, inputs, x, xAt + s, y, yAt + s);
        }
      }
    },
    ONE(1) {
      @Override
      void add(
          float[] w, int at, int ld, int inputs, float[] x, int xAt, float[] y, int yAt, int rows) {
        for (int s = 0; s < rows; s += COUNT) {
          TileSums.one(w, at, inputs, x, xAt + s, y, yAt + s);
        }
      }
    };

    /** For rows in multiples of {@link #WIDE}. */
    private static final Tile[] MOST = {TWO_WIDE, ONE_WIDE};

    /** For the rows behind them. */
    private static final Tile[] REST = {FOUR, ONE};

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
    int wide = rows / WIDE * WIDE;
    int height = band.last() - band.first() > DEPTH / 2 ? WIDE : wide;
    for (int i = band.first(); i < band.last(); i += DEPTH) {
      int inputs = Math.min(band.last() - i, DEPTH);
      int from = xAt + i * STRIDE;
      for (int s = 0; s < wide; s += height) {
        add(Tile.MOST, w, at + i, ld, inputs, band, x, from + s, y, yAt + s, height);
      }
      if (wide < rows) {
        add(Tile.REST, w, at + i, ld, inputs, band, x, from + wide, y, yAt + wide, rows - wide);
      }
    }
  }

  /** All outputs of the band, by tiles of which the last has one output. */
  private static void add(
      Tile[] tiles,
      float[] w,
      int at,
      int ld,
      int inputs,
      Band band,
      float[] x,
      int xAt,
      float[] y,
      int yAt,
      int rows) {
    int j = band.from();
    for (Tile tile : tiles) {
      for (; j + tile.outputs <= band.to(); j += tile.outputs) {
        tile.add(w, at + j * ld, ld, inputs, x, xAt, y, yAt + j * STRIDE, rows);
      }
    }
  }
}
