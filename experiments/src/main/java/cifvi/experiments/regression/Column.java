package cifvi.experiments.regression;

import java.util.Arrays;

/**
 * A column of numbers in units of its own: (x - mean) / sd.
 *
 * @param sd with n - 1 in the denominator; 0 for a constant column
 */
record Column(String name, double mean, double sd) {
  /**
   * Looks at the numbers of a column; sums are of differences, which neither over- nor underflow.
   */
  static Column of(String name, double[] values) {
    double first = values[0];
    double mean = first;
    for (double v : values) {
      mean += (v - first) / values.length;
    }
    double widest = 0;
    for (double v : values) {
      widest = Math.max(widest, Math.abs(v - mean));
    }
    if (widest == 0 || Arrays.stream(values).allMatch(v -> v == first)) {
      return new Column(name, first, 0);
    }
    double squares = 0;
    for (double v : values) {
      double e = (v - mean) / widest;
      squares += e * e;
    }
    return new Column(name, mean, widest * Math.sqrt(squares / (values.length - 1)));
  }

  boolean isConstant() {
    return sd == 0;
  }

  /** Replaces the numbers by those in units of the column. */
  double[] standardise(double[] values) {
    Arrays.setAll(values, i -> (values[i] - mean) / sd);
    return values;
  }
}
