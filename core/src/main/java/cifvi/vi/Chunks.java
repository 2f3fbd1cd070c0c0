package cifvi.vi;

/**
 * Cuts a table of {@code rows} x {@code perRow} draws, in row-major order, into contiguous chunks
 * of at most {@code maxDraws}: several whole rows at a time or, where one row is too long, parts of
 * one row. Memory is then bounded whatever the sizes, and since noise is addressed by the global
 * draw, the cut does not change a number drawn.
 */
record Chunks(long rows, long perRow, long maxDraws) {
  Chunks {
    require("rows", rows);
    require("draws a row", perRow);
    require("draws a chunk", maxDraws);
  }

  /**
   * Rows {@code row} to {@code row + rows - 1}, of each the draws {@code draw} to {@code draw +
   * draws - 1}.
   */
  interface Chunk {
    void accept(long row, long rows, long draw, long draws);
  }

  void forEach(Chunk chunk) {
    if (perRow <= maxDraws) {
      long step = maxDraws / perRow;
      for (long row = 0; row < rows; row += step) {
        chunk.accept(row, Math.min(step, rows - row), 0, perRow);
      }
    } else {
      for (long row = 0; row < rows; row++) {
        for (long draw = 0; draw < perRow; draw += maxDraws) {
          chunk.accept(row, 1, draw, Math.min(maxDraws, perRow - draw));
        }
      }
    }
  }

  private static void require(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": expected at least 1, got " + value);
    }
  }
}
