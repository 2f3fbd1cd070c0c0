package cifvi.experiments.scoreboard;

import cifvi.experiments.target.KnownAnswers;
import cifvi.experiments.target.KnownAnswers.Moments;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How far moments are from known ones at the worst column, in standard deviations of the reference.
 *
 * @param mean max |m - μ| / σ
 * @param sd max |s - σ| / σ
 */
public record WorstErrors(double mean, double sd) {
  /**
   * Over all columns that both sides know.
   *
   * @param found of a column, null where it is not among those drawn
   * @return null where there is no such column
   */
  static @Nullable WorstErrors of(KnownAnswers known, Function<String, @Nullable Moments> found) {
    double mean = Double.NaN;
    double sd = Double.NaN;
    for (Map.Entry<String, Moments> column : known.moments().entrySet()) {
      Moments truth = column.getValue();
      Moments ours = found.apply(column.getKey());
      if (ours != null && truth.sd() > 0) {
        mean = worse(mean, (ours.mean() - truth.mean()) / truth.sd());
        sd = worse(sd, (ours.sd() - truth.sd()) / truth.sd());
      }
    }
    return Double.isNaN(mean) && Double.isNaN(sd) ? null : new WorstErrors(mean, sd);
  }

  private static double worse(double worst, double error) {
    return Double.isNaN(worst) ? Math.abs(error) : Math.max(worst, Math.abs(error));
  }
}
