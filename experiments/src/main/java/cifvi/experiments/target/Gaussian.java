package cifvi.experiments.target;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import java.util.Arrays;

/**
 * A normal in d dimensions whose neighbours have the correlation ρ = 0.9, ρ^|i-j| in general, with
 * means 1, 2, ..., d and standard deviations from 0.1 to 10 in equal ratios (1 where d = 1).
 * Normalised.
 */
final class Gaussian implements KnownDensity {
  static final double CORRELATION = 0.9;

  /** 1 - ρ², the variance of a number given the one before it, in units of its own variance. */
  private static final double REST = 1 - CORRELATION * CORRELATION;

  private final int dimensions;
  private final double[] sds;
  private final ParameterSpace space;

  Gaussian(int dimensions) {
    this.dimensions = dimensions;
    sds = new double[dimensions];
    Arrays.setAll(sds, i -> dimensions == 1 ? 1 : Math.pow(10, -1 + 2.0 * i / (dimensions - 1)));
    space = ParameterSpace.of(Parameter.real("z").vector(dimensions));
  }

  @Override
  public String description() {
    return "a normal with correlations 0.9^|i-j| and standard deviations from 0.1 to 10";
  }

  @Override
  public int dimensions() {
    return dimensions;
  }

  @Override
  public ParameterSpace parameters() {
    return space;
  }

  static double mean(int i) {
    return i + 1;
  }

  double sd(int i) {
    return sds[i];
  }

  /** As a chain: e_0 ~ N(0, 1), e_i ~ N(ρ e_{i-1}, 1 - ρ²), with e the standardised z. */
  @Override
  public double at(double[] z, double[] gradient) {
    double logP = -dimensions * Normals.HALF_LOG_2_PI - 0.5 * (dimensions - 1) * Math.log(REST);
    double before = 0;
    for (int i = 0; i < dimensions; i++) {
      double sd = sd(i);
      double e = (z[i] - mean(i)) / sd;
      double away = e - CORRELATION * before;
      double slope = i == 0 ? -e : -away / REST;
      gradient[i] = slope / sd;
      if (i > 0) {
        gradient[i - 1] -= CORRELATION * slope / sd(i - 1);
      }
      logP += 0.5 * slope * (i == 0 ? e : away) - Math.log(sd);
      before = e;
    }
    return logP;
  }

  /** The best independent normals have the variances 1 / Λ_ii, Λ being the inverse covariance. */
  @Override
  public KnownAnswers known() {
    double lost =
        dimensions == 1
            ? 0
            : (dimensions - 2) * Math.log1p(CORRELATION * CORRELATION) - Math.log(REST);
    var known = KnownAnswers.ofLogZ(0).withGaussians(-0.5 * lost, 0);
    for (int i = 0; i < dimensions; i++) {
      known = known.withMoments("z." + (i + 1), mean(i), sd(i));
    }
    return known;
  }
}
