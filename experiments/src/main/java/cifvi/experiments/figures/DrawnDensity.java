package cifvi.experiments.figures;

import java.util.Locale;

/**
 * A density estimated from draws, with how many of them the figure shows.
 *
 * @param kde with the bandwidths
 */
public record DrawnDensity(Kde kde, DensityGrid grid, int inside, int draws) {
  /** Below this share of draws inside, a picture would show noise and be taken for the density. */
  private static final double LEAST_SHARE = 0.1;

  static DrawnDensity of(Points draws, Frame frame, int size) {
    Kde kde = Kde.of(draws);
    return new DrawnDensity(kde, kde.on(frame, size), draws.inside(frame), draws.count());
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
