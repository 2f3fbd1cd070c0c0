package cifvi.experiments.parts;

import cifvi.vi.LogMeanExp;

/**
 * What some draws of a row add to an estimate; exact, for numbers in files lose nothing.
 *
 * @param row an image, or a z
 * @param draw the first of its draws here
 * @param logJoint of a z, else 0
 * @param delta likewise
 * @param count of the draws; these and the others are {@link LogMeanExp.State}
 */
public record PartRow(
    long row,
    long draw,
    double logJoint,
    double delta,
    long count,
    double max,
    double sum,
    double sumOfSquares,
    double total) {
  public static PartRow of(
      long row, long draw, double logJoint, double delta, LogMeanExp.State state) {
    return new PartRow(
        row,
        draw,
        logJoint,
        delta,
        state.count(),
        state.max(),
        state.sum(),
        state.sumOfSquares(),
        state.total());
  }

  public LogMeanExp.State state() {
    return new LogMeanExp.State(count, max, sum, sumOfSquares, total);
  }
}
