package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.tensor.Rng;

/**
 * Log-weights of draws of a posterior, forward from the base and backward from z, as numbers: what
 * every estimator is made of. An engine may compute them by its own means.
 */
public interface LogWeights extends AutoCloseable {
  /**
   * Draws of the posterior, those of one row of x adjacent.
   *
   * @param z row-major, {@code [draws, d]}
   * @param delta Δ = log r(u|z) - log q(z, u) of every draw
   * @param logJoint log p(x, z) of every draw
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  record Draws(double[] z, double[] delta, double[] logJoint) {}

  /** {@code times} draws for every row of x. */
  Draws draw(Observation x, long times, Rng rng);

  /**
   * log q(z, u) - log r(u|z) with u drawn backwards from r, {@code paths} times for every row of z;
   * paths from one row are adjacent.
   *
   * @param z row-major, as many rows as x has
   */
  double[] backward(double[] z, Observation x, long paths, Rng rng);

  /** Whether log q(z) itself is known, so that one path back is as good as many. */
  boolean explicit();

  @Override
  default void close() {}

  /** By the model's own code, one libtorch operation after the other. */
  static LogWeights eager(Model model) {
    return new EagerLogWeights(model);
  }
}
