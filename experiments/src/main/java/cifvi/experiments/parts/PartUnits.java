package cifvi.experiments.parts;

/**
 * A large evaluation, {@code rows} x {@code draws}, cut into numbered units that can be computed
 * anywhere. The cut depends on the sizes alone, so that the result does not depend on who computes
 * how many of them.
 *
 * @param rowsAtATime of a unit: as many as are computed together in one go
 * @param drawsAtATime a row with more is cut, too
 */
public record PartUnits(long rows, long draws, long rowsAtATime, long drawsAtATime) {
  /**
   * Rows {@code row} to {@code row + rows - 1}, of each the draws {@code from} to before {@code
   * to}.
   */
  public record Unit(long row, long rows, long from, long to) {}

  private boolean isCut() {
    return draws > drawsAtATime;
  }

  private long ofRow() {
    return Math.ceilDiv(draws, drawsAtATime);
  }

  public long count() {
    return isCut() ? rows * ofRow() : Math.ceilDiv(rows, rowsAtATime);
  }

  /** Whether the unit has all draws of its rows. */
  public boolean isWhole() {
    return !isCut();
  }

  public Unit unit(long number) {
    if (isCut()) {
      long from = number % ofRow() * drawsAtATime;
      return new Unit(number / ofRow(), 1, from, Math.min(draws, from + drawsAtATime));
    }
    long row = number * rowsAtATime;
    return new Unit(row, Math.min(rowsAtATime, rows - row), 0, draws);
  }
}
