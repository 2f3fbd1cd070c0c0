package cifvi.experiments.figures;

import java.util.Locale;

/**
 * The density of a posterior, with how many of its draws lie where the figure shows it.
 *
 * @param how the density was found, in words
 */
public record DrawnDensity(DensityGrid grid, String how, int inside, int draws) {
  /** Below this share of draws inside, a picture would show noise and be taken for the density. */
  private static final double LEAST_SHARE = 0.1;

  static DrawnDensity of(DensityGrid grid, String how, Points draws) {
    return new DrawnDensity(grid, how, draws.inside(grid.frame()), draws.count());
  }

  /** Whether enough of the draws lie in the frame to draw the density. */
  public boolean shown() {
    return inside >= LEAST_SHARE * draws;
  }

  /** Why the density is not shown. */
  public String sentence() {
    String count = inside == 0 ? "none" : String.format(Locale.ROOT, "only %,d", inside);
    return String.format(
        Locale.ROOT,
        "Nothing to draw: %s of %,d draws lie in this square, the others outside.",
        count,
        draws);
  }
}
