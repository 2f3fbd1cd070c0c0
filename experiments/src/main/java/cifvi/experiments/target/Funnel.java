package cifvi.experiments.target;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;

/** Neal's funnel: v ~ N(0, 3²), x_i given v ~ N(0, e^v), i = 1, ..., d - 1. Normalised. */
final class Funnel implements KnownDensity {
  private static final double VARIANCE = 9;

  private final int others;
  private final ParameterSpace space;

  Funnel(int dimensions) {
    others = dimensions - 1;
    space = ParameterSpace.of(Parameter.real("v"), Parameter.real("x").vector(others));
  }

  @Override
  public String description() {
    return "Neal's funnel, v ~ N(0, 3²), x_i ~ N(0, e^v)";
  }

  @Override
  public int dimensions() {
    return 1 + others;
  }

  @Override
  public ParameterSpace parameters() {
    return space;
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double v = z[0];
    double precision = Math.exp(-v);
    double squares = 0;
    for (int i = 1; i <= others; i++) {
      squares += z[i] * z[i];
      gradient[i] = -z[i] * precision;
    }
    gradient[0] = -v / VARIANCE + 0.5 * (squares * precision - others);
    return -0.5 * (v * v / VARIANCE + Math.log(VARIANCE) + squares * precision + others * v)
        - (1 + others) * Normals.HALF_LOG_2_PI;
  }

  /**
   * A normal with variance s² of v can at best have x_i of variance e^{-s²/2}, hence the bound ½
   * log(s²/9) - s² (1/18 + (d-1)/4) + ½, which is largest at s² = 1 / (1/9 + (d-1)/2). Covariances
   * do not help.
   */
  @Override
  public KnownAnswers known() {
    double best = 0.5 * Math.log(1 / (1 / VARIANCE + 0.5 * others) / VARIANCE);
    var known =
        KnownAnswers.ofLogZ(0)
            .withGaussians(best, best)
            .withMoments("v", 0, Math.sqrt(VARIANCE))
            .withRegion("neck, v < -3", 0.15865525393145707, x -> x[0] < -3)
            .withRegion("mouth, v > 3", 0.15865525393145707, x -> x[0] > 3);
    for (int i = 1; i <= others; i++) {
      known =
          known.withMoments("x." + i, new KnownAnswers.Moments(0, Math.exp(VARIANCE / 4), true));
    }
    return known;
  }
}
