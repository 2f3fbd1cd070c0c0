package cifvi.experiments.figures;

import java.util.List;

/**
 * What single coordinates of z do: all others stay as in one posterior draw.
 *
 * @param label the class of the image drawn from
 * @param rows one for each coordinate
 */
public record Traversal(int label, List<Row> rows) {
  /** A coordinate with the mean of x at each of {@link #PERCENTS}. */
  public record Row(int coordinate, List<GreyImage> means) {}

  /** Where a coordinate is put: at these quantiles of its prior N(0, 1), in percent. */
  public static final List<Integer> PERCENTS = List.of(1, 5, 15, 30, 50, 70, 85, 95, 99);

  static final List<Double> QUANTILES =
      List.of(
          -2.326348, -1.644854, -1.036433, -0.524401, 0.0, 0.524401, 1.036433, 1.644854, 2.326348);
}
