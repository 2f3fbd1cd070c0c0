package cifvi.vi;

/**
 * A Monte-Carlo estimate.
 *
 * @param standardError of the mean; NaN for a single value
 * @param count number of independent terms
 */
public record Estimate(double mean, double standardError, long count) {}
