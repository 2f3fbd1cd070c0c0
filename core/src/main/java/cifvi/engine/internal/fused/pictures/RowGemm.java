package cifvi.engine.internal.fused.pictures;

import cifvi.engine.internal.fused.math.Gemm;

/**
 * Products of matrices whose rows lie one after the other: the lanes of a vector run over columns,
 * where those of {@link Gemm} run over the rows of a batch.
 *
 * <p>Every sum takes at most {@value #DEPTH} terms by fma, beginning with zero, and is then added
 * to the sums before it: tiles and lanes do not change its bits, and rounding errors stay small.
 */
public final class RowGemm {
  /** Rows of a tile: callers leave room for a whole one behind the last row. */
  public static final int TALL = 6;

  private static final int DEPTH = 64;
  private static final int COUNT = WideLanes.COUNT;
  private static final int PAIR = 2 * COUNT;

  private RowGemm() {}

  /**
   * c = a b, a being {@code rows x depth} and b {@code depth x columns}, a multiple of {@link
   * WideLanes#MOST}. Rows behind the last one, up to a multiple of {@value #TALL}, are read and
   * written.
   */
  public static void multiply(
      float[] a,
      int aAt,
      int rows,
      int depth,
      float[] b,
      int bAt,
      int columns,
      float[] c,
      int cAt) {
    int j = 0;
    for (; j + PAIR <= columns; j += PAIR) {
      for (int k = 0; k < depth; k += DEPTH) {
        int terms = Math.min(DEPTH, depth - k);
        for (int i = 0; i < rows; i += TALL) {
          RowTiles.sixPair(
              a,
              aAt + i * depth + k,
              depth,
              b,
              bAt + k * columns + j,
              columns,
              terms,
              c,
              cAt + i * columns + j,
              k > 0);
        }
      }
    }
    for (; j < columns; j += COUNT) {
      for (int k = 0; k < depth; k += DEPTH) {
        int terms = Math.min(DEPTH, depth - k);
        for (int i = 0; i < rows; i += TALL) {
          RowTiles.six(
              a,
              aAt + i * depth + k,
              depth,
              b,
              bAt + k * columns + j,
              columns,
              terms,
              c,
              cAt + i * columns + j,
              k > 0);
        }
      }
    }
  }

  /**
   * w += aᵀ d, a being {@code rows x inputs}, an even number, and d {@code rows x columns}, a
   * multiple of {@link WideLanes#MOST}.
   */
  public static void addGradient(
      float[] a,
      int aAt,
      int rows,
      int inputs,
      float[] d,
      int dAt,
      int columns,
      float[] w,
      int wAt) {
    int j = 0;
    for (; j + PAIR <= columns; j += PAIR) {
      for (int r = 0; r < rows; r += DEPTH) {
        int terms = Math.min(DEPTH, rows - r);
        int from = aAt + r * inputs;
        int panel = dAt + r * columns + j;
        int i = 0;
        for (; i + TALL <= inputs; i += TALL) {
          OuterTiles.sixPair(
              a, from + i, inputs, d, panel, columns, terms, w, wAt + i * columns + j);
        }
        for (; i < inputs; i += 2) {
          OuterTiles.twoPair(
              a, from + i, inputs, d, panel, columns, terms, w, wAt + i * columns + j);
        }
      }
    }
    for (; j < columns; j += COUNT) {
      for (int r = 0; r < rows; r += DEPTH) {
        int terms = Math.min(DEPTH, rows - r);
        for (int i = 0; i < inputs; i += 2) {
          OuterTiles.two(
              a,
              aAt + r * inputs + i,
              inputs,
              d,
              dAt + r * columns + j,
              columns,
              terms,
              w,
              wAt + i * columns + j);
        }
      }
    }
  }
}
