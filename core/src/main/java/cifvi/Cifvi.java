package cifvi;

import cifvi.density.DensityFit;
import cifvi.density.FittedDensity;
import cifvi.target.Target;

/**
 * max E[log p(z) + log r(u|z) - log q(z, u)] over q and r (eq. 2): the front door, from a density
 * to draws of its approximation.
 *
 * <p>What is maximised is a lower bound of log ∫ p that is tight where q(z, u) = p(z) r(u|z) / ∫ p.
 */
public final class Cifvi {
  private Cifvi() {}

  /** Fits a density with everything as it is by default. */
  public static FittedPosterior fit(LogDensity density) {
    return fitting(density).run();
  }

  /** Fits a target of libtorch operations on a batch of z, with everything as it is by default. */
  public static FittedPosterior fit(int dimensions, Target target) {
    return fitting(dimensions, target).run();
  }

  /**
   * Estimates the density that rows of numbers come from, with everything as it is by default: a
   * CIF-NSF, trained until the bound of rows held back has stopped rising.
   */
  public static FittedDensity density(double[][] rows) {
    return estimating(rows).run();
  }

  /** An estimate of the density that rows of numbers come from, to be told more. */
  public static DensityFit estimating(double[][] rows) {
    return new DensityFit(rows);
  }

  /** A fit of a density, to be told more. */
  public static Fit fitting(LogDensity density) {
    return new Fit(density, null, density.parameters()).initialPoint(density.initialPoint());
  }

  /** A fit of a target of libtorch operations, to be told more. */
  public static Fit fitting(int dimensions, Target target) {
    return new Fit(null, target, Fit.unnamed(dimensions));
  }
}
