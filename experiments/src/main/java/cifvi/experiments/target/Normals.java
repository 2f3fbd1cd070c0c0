package cifvi.experiments.target;

/** Logarithms of normal densities. */
public final class Normals {
  public static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  private Normals() {}

  /** log N(x; mean, sd²). */
  public static double log(double x, double mean, double sd) {
    double e = (x - mean) / sd;
    return -0.5 * e * e - Math.log(sd) - HALF_LOG_2_PI;
  }
}
