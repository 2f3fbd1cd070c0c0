package cifvi.experiments.density;

import cifvi.density.DensityEvaluation;
import cifvi.density.RowLikelihood;
import cifvi.density.Standardisation;
import cifvi.experiments.figures.DensityGrid;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.Points;
import cifvi.vi.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What figures show of a density in the plane, in standardised units. */
public record DensityPicture(DensityData data, DensityEvaluation evaluation, long seed) {
  private static final int GRID = 121;

  /** Importance samples at each place: their noise cannot be seen. */
  private static final int SAMPLES = 32;

  private static final int MOST_POINTS = 2000;
  private static final double REACH = 0.999;

  /** Holds nearly all test rows, with some room around them. */
  public Frame frame() {
    double[] sizes =
        Arrays.stream(data.units().apply(data.test())).map(Math::abs).sorted().toArray();
    double reach = sizes[(int) (REACH * (sizes.length - 1))];
    return new Frame(Math.ceil(2.2 * reach) / 2);
  }

  /** The model's density. */
  public DensityGrid grid() {
    Frame frame = frame();
    Standardisation units = data.units();
    double[][] places = new double[GRID * GRID][];
    Arrays.setAll(
        places,
        i ->
            new double[] {
              units.centre()[0] + units.scale()[0] * frame.at(i % GRID, GRID),
              units.centre()[1] + units.scale()[1] * frame.at(i / GRID, GRID)
            });
    List<RowLikelihood> logs = evaluation.logLikelihoods(places, SAMPLES, seed, 0, Progress.SILENT);
    double toUnits = units.logScale(2);
    double[] values =
        logs.stream()
            .mapToDouble(row -> Math.exp(row.value() + toUnits))
            .map(value -> Double.isFinite(value) ? value : 0)
            .toArray();
    return new DensityGrid(frame, GRID, values);
  }

  /** The test rows. */
  public Points rows() {
    return points(data.test());
  }

  /** Draws of the model. */
  public Points draws() {
    return points(evaluation.draws(MOST_POINTS, seed));
  }

  private Points points(double[][] rows) {
    double[] flat = data.units().apply(Arrays.copyOf(rows, Math.min(rows.length, MOST_POINTS)));
    return new Points(column(flat, 0), column(flat, 1));
  }

  private static double[] column(double[] flat, int column) {
    return IntStream.range(0, flat.length / 2).mapToDouble(i -> flat[2 * i + column]).toArray();
  }
}
