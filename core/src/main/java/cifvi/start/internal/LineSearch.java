package cifvi.start.internal;

/** Brackets the length of a step that satisfies the weak Wolfe conditions on the way up. */
final class LineSearch {
  private static final int MOST = 30;
  private static final double RISE = 1e-4;
  private static final double SLOPE = 0.9;

  /** What a search makes of the point at its length. */
  enum Outcome {
    /** The point is where the step ends. */
    FOUND,
    /** Another length has to be looked at. */
    GO_ON,
    /** No length is good. */
    FAILED
  }

  private final double value;
  private final double slope;
  private double length = 1;
  private double low;
  private double lowValue;
  private double lowSlope;
  private double high = Double.POSITIVE_INFINITY;
  private int searches;

  /** Begins where log p is {@code value} and rises by {@code slope} a length. */
  LineSearch(double value, double slope) {
    this.value = value;
    this.slope = slope;
    lowValue = value;
    lowSlope = slope;
  }

  /** Where to look next. */
  double length() {
    return length;
  }

  /** ∂ log p / ∂ length where it began. */
  double slope() {
    return slope;
  }

  /** log p and its slope at the length. */
  Outcome tell(double logP, double at) {
    boolean good = Double.isFinite(logP) && Double.isFinite(at);
    if (good && logP >= value + RISE * length * slope) {
      if (at <= SLOPE * slope || ++searches > MOST) {
        return Outcome.FOUND;
      }
      low = length;
      lowValue = logP;
      lowSlope = at;
      length = high < Double.POSITIVE_INFINITY ? (low + high) / 2 : 2 * length;
      return Outcome.GO_ON;
    }
    high = length;
    double width = high - low;
    double lack = lowValue + lowSlope * width - logP; // of a parabola through both
    double top = good && lack > 0 ? lowSlope * width * width / (2 * lack) : 0.1 * width;
    length = low + Math.clamp(top, 0.1 * width, 0.5 * width);
    return ++searches > MOST ? Outcome.FAILED : Outcome.GO_ON;
  }
}
