package cifvi.cli.report;

import cifvi.experiments.figures.Curve;
import cifvi.experiments.run.EpochRow;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a chart shows of a run.
 *
 * @param beside a second curve, dashed
 * @param best an epoch that is marked
 */
public record CurveSeries(
    String label, Curve curve, Optional<Curve> beside, Optional<EpochRow> best) {
  /** One curve. */
  public static CurveSeries of(String label, Curve curve) {
    return new CurveSeries(label, curve, Optional.empty(), Optional.empty());
  }

  /** The validation bound, with the training objective beside it and the best epoch marked. */
  public static CurveSeries of(String label, List<EpochRow> epochs) {
    return new CurveSeries(
        label,
        Curve.validation(epochs),
        Optional.of(Curve.training(epochs)),
        EpochRow.best(epochs));
  }

  public Stream<Curve> curves() {
    return Stream.concat(Stream.of(curve), beside.stream());
  }
}
