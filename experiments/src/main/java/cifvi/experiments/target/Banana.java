package cifvi.experiments.target;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;

/** z_1 ~ N(0, 1), z_2 given z_1 ~ N(z_1², 1): the density of the README. Normalised. */
final class Banana implements KnownDensity {
  private static final ParameterSpace SPACE = ParameterSpace.of(Parameter.real("z").vector(2));

  @Override
  public String description() {
    return "a banana, z_1 ~ N(0, 1), z_2 ~ N(z_1², 1)";
  }

  @Override
  public int dimensions() {
    return 2;
  }

  @Override
  public ParameterSpace parameters() {
    return SPACE;
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double bend = z[1] - z[0] * z[0];
    gradient[0] = -z[0] + 2 * z[0] * bend;
    gradient[1] = -bend;
    return -0.5 * (z[0] * z[0] + bend * bend) - 2 * Normals.HALF_LOG_2_PI;
  }

  /**
   * A normal with variance s of z_1 has at best the bound ½ log s - s/2 - s² + ½, largest where 4
   * s² + s = 1; a covariance does not help.
   */
  @Override
  public KnownAnswers known() {
    double s = (Math.sqrt(17) - 1) / 8;
    double best = 0.5 * Math.log(s) - 0.5 * s - s * s + 0.5;
    return KnownAnswers.ofLogZ(0)
        .withGaussians(best, best)
        .withMoments("z.1", 0, 1)
        .withMoments("z.2", 1, Math.sqrt(3));
  }
}
