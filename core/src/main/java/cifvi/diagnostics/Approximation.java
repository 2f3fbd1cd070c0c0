package cifvi.diagnostics;

import cifvi.vi.Estimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** q(z, u), r(u|z) and p(z) on the unconstrained space, as diagnostics need them. */
public interface Approximation {
  int dimensions();

  /** Whether log q(z) itself is known: there is no index u. */
  boolean explicit();

  /**
   * log p of points, row-major; -∞ where the density has no answer.
   *
   * @param gradients of log p, to be filled; a point without an answer has some that leads back
   */
  void logDensities(double[] z, double[] logP, double @Nullable [] gradients);

  /**
   * log q(z, u) - log r(u|z) with u drawn backwards from r, {@code paths} times for every point,
   * those of one point adjacent; log q(z) where that is known.
   */
  double[] backward(double[] z, int paths, long seed);

  /** What the index of every layer is worth, over so many draws: see {@link IndexWorth}. */
  List<Estimate> indexWorth(int draws);
}
