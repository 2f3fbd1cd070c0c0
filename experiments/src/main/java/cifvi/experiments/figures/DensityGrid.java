package cifvi.experiments.figures;

import java.util.Arrays;

/** A density at {@code size} x {@code size} positions that reach from edge to edge of a frame. */
public final class DensityGrid {
  private final Frame frame;
  private final int size;
  private final double[] values;

  /**
   * Takes the values as they are.
   *
   * @param values row-major, the row being y upwards
   */
  public DensityGrid(Frame frame, int size, double[] values) {
    if (size < 2 || values.length != size * size) {
      throw new IllegalArgumentException(
          "values: expected " + size + "x" + size + ", at least 2x2, got " + values.length);
    }
    this.frame = frame;
    this.size = size;
    this.values = values;
  }

  public Frame frame() {
    return frame;
  }

  public double at(int column, int row) {
    return values[row * size + column];
  }

  /** The value between the positions, bilinear; u to the right and v upwards, both in [0, 1]. */
  public double between(double u, double v) {
    double x = u * (size - 1);
    double y = v * (size - 1);
    int column = Math.min((int) x, size - 2);
    int row = Math.min((int) y, size - 2);
    double right = x - column;
    double up = y - row;
    return (1 - up) * ((1 - right) * at(column, row) + right * at(column + 1, row))
        + up * ((1 - right) * at(column, row + 1) + right * at(column + 1, row + 1));
  }

  public double max() {
    return Arrays.stream(values).max().orElseThrow();
  }

  /** The mass inside the frame, by the sum over cells. */
  public double mass() {
    double cell = 2 * frame.limit() / (size - 1);
    return Arrays.stream(values).sum() * cell * cell;
  }
}
