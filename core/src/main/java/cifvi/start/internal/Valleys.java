package cifvi.start.internal;

import cifvi.target.HostTarget.Densities;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What lies beyond valleys of log p, on lines through points. */
public record Valleys(Densities density) {
  private static final double FINE = 0.25;
  private static final double FINE_TO = 4;
  private static final double GROWTH = 1.1;
  private static final double COARSE_FROM = 40;
  private static final double COARSE_GROWTH = 1.25;
  private static final double FAR = 250;

  /** In nats: how far log p falls and rises again … */
  private static final double DEPTH = 2;

  /** … and as a part of log p, below which it may be rounding. */
  private static final double ROUNDING = 1e-5;

  /** Where to look, in lengths of a direction. */
  private static final double[] OUT = distances();

  /**
   * What lies beyond a valley on one line.
   *
   * @param up whether it lies where the direction points, and not behind
   * @param top the highest point of it that was looked at
   * @param logP there
   * @param share of all mass on the line
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Beyond(boolean up, double[] top, double logP, double share) {}

  private static double[] distances() {
    var all = new ArrayList<Double>();
    double t = 0;
    while (t <= FAR) {
      all.add(t);
      t = t < FINE_TO ? t + FINE : t * (t < COARSE_FROM ? GROWTH : COARSE_GROWTH);
    }
    return all.stream().mapToDouble(out -> out).toArray();
  }

  /** On lines through points, both ways. */
  public List<Beyond> through(List<double[]> points, double[] direction) {
    int d = direction.length;
    int n = OUT.length;
    double[] rows = new double[points.size() * 2 * n * d];
    for (int row = 0; row < rows.length / d; row++) {
      double[] point = points.get(row / (2 * n));
      double out = row / n % 2 == 0 ? OUT[row % n] : -OUT[row % n];
      for (int i = 0; i < d; i++) {
        rows[row * d + i] = point[i] + out * direction[i];
      }
    }
    double[] logP = new double[rows.length / d];
    density.evaluate(rows, logP, null);
    var found = new ArrayList<Beyond>();
    for (int half = 0; half < 2 * points.size(); half++) {
      Beyond beyond = beyond(half, rows, logP, d);
      if (beyond != null) {
        found.add(beyond);
      }
    }
    return found;
  }

  private static @Nullable Beyond beyond(int half, double[] rows, double[] logP, int d) {
    int n = OUT.length;
    int from = half * n;
    int first = first(logP, from);
    if (first < 0) {
      return null;
    }
    int top = first;
    for (int k = first; k < n; k++) {
      top = logP[from + k] > logP[from + top] ? k : top;
    }
    double highest = logP[from + top];
    int line = from - half % 2 * n;
    double all = mass(logP, line, 0, highest) + mass(logP, line + n, 0, highest);
    double[] at = Arrays.copyOfRange(rows, (from + top) * d, (from + top + 1) * d);
    return new Beyond(half % 2 == 0, at, highest, mass(logP, from, first, highest) / all);
  }

  /** Where log p has fallen and risen again; -1 for nowhere. */
  private static int first(double[] logP, int from) {
    double high = Double.NEGATIVE_INFINITY;
    double low = Double.POSITIVE_INFINITY;
    for (int k = 0; k < OUT.length; k++) {
      double log = logP[from + k];
      double depth = DEPTH + (Double.isFinite(log) ? ROUNDING * Math.abs(log) : 0);
      high = Math.max(high, log);
      low = high - log > depth ? Math.min(low, log) : low;
      if (log - low > depth) {
        return k;
      }
    }
    return -1;
  }

  /** ∫ p from distance {@code first} on, by trapezia, with log p = 0 at {@code top}. */
  private static double mass(double[] logP, int from, int first, double top) {
    double sum = 0;
    for (int k = Math.max(1, first); k < OUT.length; k++) {
      double ends = Math.exp(logP[from + k - 1] - top) + Math.exp(logP[from + k] - top);
      sum += 0.5 * ends * (OUT[k] - OUT[k - 1]);
    }
    return sum;
  }
}
