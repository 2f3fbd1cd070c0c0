package cifvi.experiments.figures;

import java.util.List;

/**
 * The vertical axis of training curves.
 *
 * @param stretched where the ELBO spans orders of magnitude, the axis is linear near 0 and
 *     logarithmic far below it
 */
public record ElboAxis(double low, double high, boolean stretched) {
  private static final double STRETCH_BELOW = -20;
  private static final double LINEAR_TO = 0.1;
  private static final double ROOM_BELOW = 1.5;
  private static final double MARGIN = 0.06;
  private static final double LEAST_SPAN = 1;

  /**
   * From where training settled up to 0, the best possible ELBO of a normalised target, so that all
   * these curves can be seen.
   */
  public static ElboAxis of(List<Curve> curves) {
    double low = low(curves);
    double high = high(curves);
    low = Math.min(ROOM_BELOW * low, -0.01);
    high = Math.max(high, 0);
    boolean stretched = low < STRETCH_BELOW;
    return stretched
        ? new ElboAxis(low, Math.max(high, 0.05), true)
        : new ElboAxis(low - MARGIN * (high - low), high + MARGIN * (high - low), false);
  }

  /** Around where training settled, with as much room again below. */
  public static ElboAxis near(List<Curve> curves) {
    double low = low(curves);
    double high = Math.max(high(curves), low);
    double span = Math.max(high - low, LEAST_SPAN);
    return new ElboAxis(low - span, high + MARGIN * span, false);
  }

  private static double low(List<Curve> curves) {
    return curves.stream().mapToDouble(Curve::low).filter(Double::isFinite).min().orElse(-1);
  }

  private static double high(List<Curve> curves) {
    return curves.stream().mapToDouble(Curve::high).filter(Double::isFinite).max().orElse(0);
  }

  /** 0 at the lower end, 1 at the upper, outside for values outside. */
  public double position(double elbo) {
    return (scale(elbo) - scale(low)) / (scale(high) - scale(low));
  }

  public double[] ticks() {
    return stretched ? Ticks.negativePowers(low, high) : Ticks.between(low, high, 6);
  }

  private double scale(double elbo) {
    if (!stretched) {
      return elbo;
    }
    double t = elbo / LINEAR_TO;
    return Math.signum(t) * Math.log(Math.abs(t) + Math.hypot(t, 1));
  }
}
