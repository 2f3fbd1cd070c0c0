package cifvi.experiments.fit;

import cifvi.Draws;
import cifvi.experiments.target.KnownAnswers;
import java.util.stream.IntStream;

/**
 * How far draws are from what is known of their target: the largest of all errors of means in
 * standard deviations, of standard deviations as shares of themselves, and of the probabilities P
 * of regions in units of √(P (1 - P)), the standard deviation of being there.
 *
 * <p>Moments that not even exact draws would show, as those of the funnel, are left out.
 */
final class TrueError {
  private TrueError() {}

  static double of(KnownAnswers known, Draws draws) {
    double worst = 0;
    for (var entry : known.moments().entrySet()) {
      if (!entry.getValue().heavy()) {
        double sd = entry.getValue().sd();
        double mean = Math.abs(draws.mean(entry.getKey()) - entry.getValue().mean()) / sd;
        worst = Math.max(worst, Math.max(mean, Math.abs(draws.sd(entry.getKey()) / sd - 1)));
      }
    }
    for (KnownAnswers.Region region : known.regions()) {
      double p = region.probability();
      double share =
          IntStream.range(0, draws.size())
                  .filter(i -> region.contains().test(draws.draw(i)))
                  .count()
              / (double) draws.size();
      worst = Math.max(worst, Math.abs(share - p) / Math.sqrt(p * (1 - p)));
    }
    return worst;
  }
}
