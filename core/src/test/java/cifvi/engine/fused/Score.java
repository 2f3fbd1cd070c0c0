package cifvi.engine.fused;

/** How the error of kernels compares with that of eager float32. */
final class Score {
  private Score() {}

  /** A logarithm that is zero where fused = 2 rounded + floor, and finite where nothing errs. */
  static double of(double fused, double rounded, double floor) {
    return Math.log((fused + floor) / (2 * (rounded + floor)));
  }
}
