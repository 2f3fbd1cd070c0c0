package cifvi;

import java.util.random.RandomGenerator;

/**
 * θ ~ p(θ), y ~ p(y|θ): a model that can make data of its own, so that fits of it can be calibrated
 * (Talts et al., 2018, arXiv 1804.06788).
 */
public interface Simulator {
  /**
   * Data that were simulated.
   *
   * @param truth θ, the constrained numbers in the order of the draws' names
   * @param posterior p(θ) p(y|θ) of the data that θ gave
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Simulated(double[] truth, LogDensity posterior) {}

  /** Another θ, and a posterior that knows data from it alone. */
  Simulated simulate(RandomGenerator random);
}
