package cifvi.diagnostics;

import java.util.Arrays;

/**
 * Gradient ascent of log p from many points at once, in coordinates y in which q is about as wide
 * as a standard normal, with the step lengths of Barzilai and Borwein (1988); a step that goes down
 * is taken back and shortened.
 */
final class Ascents {
  private static final int STEPS = 40;
  private static final double LONGEST = 4; // of one step, in y

  private final Whitened p;
  private final int d;
  private final double[] y;
  private final double[] logP;
  private final double[] gradient;
  private final double[] length;

  /**
   * Begins at points that are changed to where the ascents end.
   *
   * @param y row-major
   */
  Ascents(Whitened p, double[] y) {
    this.p = p;
    this.y = y;
    d = p.dimensions();
    logP = new double[y.length / d];
    gradient = new double[y.length];
    length = new double[logP.length];
    p.logDensities(y, logP, gradient);
    for (int i = 0; i < logP.length; i++) {
      length[i] = 1 / Math.max(1, norm(gradient, i));
    }
  }

  /** log p at the ends. */
  double[] run() {
    double[] there = new double[y.length];
    double[] value = new double[logP.length];
    double[] slope = new double[y.length];
    for (int step = 0; step < STEPS; step++) {
      for (int i = 0; i < logP.length; i++) {
        double size = Math.min(length[i], LONGEST / Math.max(norm(gradient, i), 1e-300));
        for (int c = i * d; c < (i + 1) * d; c++) {
          there[c] = y[c] + size * gradient[c];
        }
      }
      p.logDensities(there, value, slope);
      for (int i = 0; i < logP.length; i++) {
        if (value[i] >= logP[i]) {
          accept(i, there, value[i], slope);
        } else {
          length[i] *= 0.25;
        }
      }
    }
    return logP;
  }

  private void accept(int i, double[] there, double value, double[] slope) {
    double ss = 0;
    double sy = 0;
    for (int c = i * d; c < (i + 1) * d; c++) {
      double s = there[c] - y[c];
      ss += s * s;
      sy += s * (gradient[c] - slope[c]);
    }
    length[i] = sy > 0 ? ss / sy : 4 * length[i];
    logP[i] = value;
    System.arraycopy(there, i * d, y, i * d, d);
    System.arraycopy(slope, i * d, gradient, i * d, d);
  }

  private double norm(double[] a, int row) {
    return Math.sqrt(Arrays.stream(a, row * d, (row + 1) * d).map(v -> v * v).sum());
  }
}
