package cifvi.experiments.target;

import cifvi.experiments.files.UserException;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;

/**
 * Double wells side by side: log p(z) = Σ over pairs (a, b) of -a⁴ + 6 a² + a/2 - b²/2, with a the
 * odd and b the even of z_1, z_2, ...; 2^(d/2) modes. Not normalised.
 *
 * <p>With d = 32 it is the problem of Midgley et al. (arXiv 2208.01893).
 */
final class ManyWell implements KnownDensity {
  /** ∫ e^{-a⁴ + 6a² + a/2} da, and mean and standard deviation of a, by quadrature. */
  private static final double WELL = 11784.509265205;

  private static final double MEAN = 1.187960983;
  private static final double SD = 1.244409415;

  /** Probability of a > 0. */
  private static final double RIGHT = 0.844307096;

  private final int dimensions;
  private final ParameterSpace space;

  ManyWell(int dimensions) {
    if (dimensions % 2 != 0) {
      throw new UserException(
          "many-well is made of pairs, expected an even number, got " + dimensions);
    }
    this.dimensions = dimensions;
    space = ParameterSpace.of(Parameter.real("z").vector(dimensions));
  }

  @Override
  public String description() {
    return dimensions / 2 + " double wells, each beside a normal";
  }

  @Override
  public int dimensions() {
    return dimensions;
  }

  @Override
  public ParameterSpace parameters() {
    return space;
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double sum = 0;
    for (int i = 0; i < dimensions; i += 2) {
      double a = z[i];
      double b = z[i + 1];
      sum += a * (0.5 + a * (6 - a * a)) - 0.5 * b * b;
      gradient[i] = 0.5 + a * (12 - 4 * a * a);
      gradient[i + 1] = -b;
    }
    return sum;
  }

  @Override
  public KnownAnswers known() {
    var known = KnownAnswers.ofLogZ(0.5 * dimensions * (Math.log(WELL) + Normals.HALF_LOG_2_PI));
    for (int i = 0; i < dimensions; i += 2) {
      int well = i;
      known =
          known
              .withMoments("z." + (i + 1), MEAN, SD)
              .withMoments("z." + (i + 2), 0, 1)
              .withRegion("right of well " + (i / 2 + 1), RIGHT, z -> z[well] > 0);
    }
    return known;
  }
}
