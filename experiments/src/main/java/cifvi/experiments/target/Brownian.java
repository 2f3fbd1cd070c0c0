package cifvi.experiments.target;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import java.util.Arrays;

/**
 * A Brownian motion of 30 steps with unknown scales, observed with noise but for its middle third:
 * x_1 ~ N(0, α²), x_t ~ N(x_{t-1}, α²), y_t ~ N(x_t, β²), log α and log β ~ N(0, 2²).
 *
 * <p>Model and observations are {@code BrownianMotionUnknownScalesMissingMiddleObservations} of the
 * Inference Gym (TensorFlow Probability, Apache License 2.0). There the scales are softplus of what
 * is fitted, here they are e^z: the evidence is the same.
 */
final class Brownian implements KnownDensity {
  static final int STEPS = 30;

  /** NaN where nothing was observed. */
  private static final double[] OBSERVED = new double[STEPS];

  static {
    double[] first = {
      0.21592641, 0.118771404, -0.07945447, 0.037677474, -0.27885845,
      -0.1484156, -0.3250906, -0.22957903, -0.44110894, -0.09830782
    };
    double[] last = {
      -0.8786016, -0.83736074, -0.7384849, -0.8939254, -0.7774566,
      -0.70238715, -0.87771565, -0.51853573, -0.6948214, -0.6202789
    };
    Arrays.fill(OBSERVED, Double.NaN);
    System.arraycopy(first, 0, OBSERVED, 0, first.length);
    System.arraycopy(last, 0, OBSERVED, STEPS - last.length, last.length);
  }

  private static final double PRIOR_SD = 2;
  private static final ParameterSpace SPACE =
      ParameterSpace.of(
          Parameter.positive("innovation_noise_scale"),
          Parameter.positive("observation_noise_scale"),
          Parameter.real("locs").vector(STEPS));

  @Override
  public String description() {
    return "a Brownian motion with unknown scales, its middle third unobserved";
  }

  @Override
  public int dimensions() {
    return 2 + STEPS;
  }

  @Override
  public ParameterSpace parameters() {
    return SPACE;
  }

  /** Observation t, or NaN. */
  static double observed(int t) {
    return OBSERVED[t];
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double logP = Normals.log(z[0], 0, PRIOR_SD) + Normals.log(z[1], 0, PRIOR_SD);
    gradient[0] = -z[0] / (PRIOR_SD * PRIOR_SD);
    gradient[1] = -z[1] / (PRIOR_SD * PRIOR_SD);
    double innovation = Math.exp(-z[0]);
    double observation = Math.exp(-z[1]);
    double before = 0;
    for (int t = 0; t < STEPS; t++) {
      double x = z[2 + t];
      double step = (x - before) * innovation;
      logP += -0.5 * step * step - z[0] - Normals.HALF_LOG_2_PI;
      gradient[0] += step * step - 1;
      gradient[2 + t] = -step * innovation;
      if (t > 0) {
        gradient[1 + t] += step * innovation;
      }
      if (!Double.isNaN(OBSERVED[t])) {
        double error = (OBSERVED[t] - x) * observation;
        logP += -0.5 * error * error - z[1] - Normals.HALF_LOG_2_PI;
        gradient[1] += error * error - 1;
        gradient[2 + t] += error * observation;
      }
      before = x;
    }
    return logP;
  }

  /** By quadrature over both scales; x given them is normal. */
  @Override
  public KnownAnswers known() {
    var known =
        KnownAnswers.ofLogZ(1.187749)
            .withMoments("innovation_noise_scale", 0.115534, 0.040306)
            .withMoments("observation_noise_scale", 0.112656, 0.037538);
    for (int t = 0; t < STEPS; t++) {
      known = known.withMoments("locs." + (t + 1), MEANS[t], SDS[t]);
    }
    return known;
  }

  private static final double[] MEANS = {
    0.093075, 0.056607, -0.034338, -0.050656, -0.182206, -0.189440, -0.263766, -0.263622,
    -0.323938, -0.229171, -0.282357, -0.335544, -0.388730, -0.441917, -0.495103, -0.548290,
    -0.601476, -0.654662, -0.707849, -0.761035, -0.814222, -0.809272, -0.781921, -0.821714,
    -0.777605, -0.741338, -0.764565, -0.639586, -0.667393, -0.644111
  };
  private static final double[] SDS = {
    0.083949, 0.079042, 0.073316, 0.078029, 0.079132, 0.073492, 0.076548, 0.073963,
    0.083285, 0.097753, 0.146196, 0.175514, 0.194555, 0.206185, 0.211630, 0.211369,
    0.205379, 0.193128, 0.173294, 0.142750, 0.091315, 0.078586, 0.075007, 0.078856,
    0.073508, 0.073690, 0.081197, 0.084247, 0.076774, 0.087676
  };
}
