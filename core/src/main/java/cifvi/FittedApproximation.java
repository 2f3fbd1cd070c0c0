package cifvi;

import cifvi.diagnostics.Approximation;
import cifvi.diagnostics.IndexWorth;
import cifvi.distribution.Observation;
import cifvi.start.internal.Frame;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Estimate;
import cifvi.vi.LogWeights;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;

/** A fitted posterior as diagnostics see it, on the space of z. */
final class FittedApproximation implements Approximation {
  /** Paths back at a time, which bounds the memory of many. */
  private static final int CHUNK = 10_000;

  private final Fitted fitted;
  private final LogWeights weights;
  private final long seed;
  private final Frame toV;

  FittedApproximation(Fitted fitted, LogWeights weights, long seed) {
    this.fitted = fitted;
    this.weights = weights;
    this.seed = seed;
    toV = fitted.frame().inverse();
  }

  @Override
  public int dimensions() {
    return toV.dimensions();
  }

  @Override
  public boolean explicit() {
    return weights.explicit();
  }

  @Override
  public void logDensities(double[] z, double[] logP, double @Nullable [] gradients) {
    int d = dimensions();
    double[] byV = gradients == null ? null : new double[gradients.length];
    fitted.logDensities(toV.toZ(z), logP, byV);
    for (int i = 0; i < logP.length; i++) {
      logP[i] += toV.logDet();
      if (gradients != null && byV != null) {
        toV.pullBack(Arrays.copyOfRange(byV, i * d, (i + 1) * d), gradients, i);
      }
    }
  }

  @Override
  public double[] backward(double[] z, int paths, long seed) {
    var backend = fitted.model().parameters().backend();
    var rng = new CounterRng(backend, seed, Purpose.MARGINAL);
    int d = dimensions();
    int points = z.length / d;
    double[] v = toV.toZ(z);
    double[] all = new double[points * paths];
    int chunk = Math.max(1, CHUNK / paths);
    for (int from = 0; from < points; from += chunk) {
      int to = Math.min(points, from + chunk);
      double[] some = Arrays.copyOfRange(v, from * d, to * d);
      try (var _ = new PointerScope()) {
        Observation x = Observation.none(to - from);
        double[] logG = weights.backward(some, x, paths, rng.fromRow((long) from * paths));
        System.arraycopy(logG, 0, all, from * paths, logG.length);
      }
    }
    for (int i = 0; i < all.length; i++) {
      all[i] += toV.logDet();
    }
    return all;
  }

  @Override
  public List<Estimate> indexWorth(int draws) {
    var backend = fitted.model().parameters().backend();
    var rng = new CounterRng(backend, seed, Purpose.EVALUATE);
    UnaryOperator<double[]> logP =
        v -> {
          double[] log = new double[v.length / dimensions()];
          fitted.logDensities(v, log, null);
          return log;
        };
    return IndexWorth.of(fitted.model().posterior(), logP, draws, rng);
  }
}
