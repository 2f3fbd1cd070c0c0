package cifvi.parameter;

import java.util.StringJoiner;

/** Elementary functions without overflow, underflow or cancellation. */
final class Numerics {
  /** How far a sum or a length may be from 1, as Stan has it (CONSTRAINT_TOLERANCE). */
  static final double TOLERANCE = 1e-8;

  private static final double LOG_2 = Math.log(2);

  /** From here on, sqrt(1 + s^2) is s in double precision. */
  private static final double LARGE = 1e9;

  private Numerics() {}

  /**
   * e^y, but no less than the smallest normal double (reached at y = -708.4), since a subnormal has
   * no finite reciprocal; infinite above 709.78.
   */
  static double exp(double y) {
    return Math.max(Math.exp(y), Double.MIN_NORMAL);
  }

  /** log cosh y. */
  static double logCosh(double y) {
    double a = Math.abs(y);
    return a + Math.log1p(Math.exp(-2 * a)) - LOG_2;
  }

  /** The y with sinh y = s. */
  static double asinh(double s) {
    double a = Math.abs(s);
    double y = a > LARGE ? LOG_2 + Math.log(a) : Math.log1p(a + a * a / (1 + Math.sqrt(1 + a * a)));
    return Math.copySign(y, s);
  }

  /** {@code n} numbers from {@code x[i]} on, as people write them: {@code [0.2, 0.3]}. */
  static String text(double[] x, int i, int stride, int n) {
    var text = new StringJoiner(", ", "[", "]");
    for (int k = 0; k < n; k++) {
      text.add(Double.toString(x[i + k * stride]));
    }
    return text.toString();
  }
}
