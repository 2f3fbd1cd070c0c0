package cifvi.experiments.figures;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import cifvi.vi.LogWeights;
import java.util.Arrays;
import java.util.Locale;

/**
 * q(z) at given z: itself for a flow, and for a CIF q̂(z) = 1/M Σ_j q(z, u_j) / r(u_j|z), the
 * average over M paths back with u_j drawn from r (eq. 15).
 */
record BackwardDensity(LogWeights weights, Rng rng) {
  /** M: enough that the estimate's noise cannot be seen, few enough for seconds. */
  static final int PATHS = 32;

  /** Paths computed at a time. */
  private static final int CHUNK = 8_000;

  private int paths() {
    return weights.explicit() ? 1 : PATHS;
  }

  /** How the values are found, in words. */
  String how() {
    return weights.explicit()
        ? "q(z) is exact"
        : String.format(Locale.ROOT, "q(z) is the mean over %d paths back (eq. 15)", PATHS);
  }

  /** The density at each z, row-major {@code [n, 2]}. */
  double[] at(double[] z) {
    double[] density = new double[z.length / 2];
    int rows = CHUNK / paths();
    for (int first = 0; first < density.length; first += rows) {
      int last = Math.min(first + rows, density.length);
      add(density, first, Arrays.copyOfRange(z, 2 * first, 2 * last));
    }
    return density;
  }

  /** What is not finite has no density that float32 holds. */
  private void add(double[] density, int first, double[] z) {
    int paths = paths();
    var x = Observation.none(z.length / 2);
    double[] logs = weights.backward(z, x, paths, rng.fromRow((long) first * paths));
    for (int i = 0; i < logs.length; i++) {
      double value = Math.exp(logs[i]) / paths;
      density[first + i / paths] += Double.isFinite(value) ? value : 0;
    }
  }
}
