package cifvi.experiments.target;

import cifvi.Simulator;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import java.util.random.RandomGenerator;

/**
 * Rubin's (1981) eight schools: y_j ~ N(θ_j, σ_j²), θ_j ~ N(μ, τ²), μ ~ N(0, 5²), τ > 0 with the
 * density of a Cauchy(0, 5), not doubled, as Stan's {@code tau ~ cauchy(0, 5)} has it.
 *
 * <p>Non-centred, the unknowns are {@code theta_trans} = (θ - μ) / τ, μ and τ, as in posteriordb's
 * eight_schools_noncentered; centred, θ, μ and τ.
 */
final class EightSchools implements KnownDensity, Simulator {
  static final int SCHOOLS = 8;
  private static final double[] EFFECT = {28, 8, -3, 7, -1, 1, 18, 12};
  private static final double[] ERROR = {15, 10, 16, 11, 9, 11, 10, 18};
  private static final double SCALE = 5; // of both priors

  private final boolean centred;
  private final double[] effect;
  private final ParameterSpace space;

  EightSchools(boolean centred) {
    this(centred, EFFECT);
  }

  private EightSchools(boolean centred, double[] effect) {
    this.centred = centred;
    this.effect = effect;
    space =
        ParameterSpace.of(
            Parameter.real(centred ? "theta" : "theta_trans").vector(SCHOOLS),
            Parameter.real("mu"),
            Parameter.positive("tau"));
  }

  @Override
  public String description() {
    return "Rubin's eight schools, " + (centred ? "centred" : "non-centred");
  }

  @Override
  public int dimensions() {
    return SCHOOLS + 2;
  }

  @Override
  public ParameterSpace parameters() {
    return space;
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double mu = z[SCHOOLS];
    double tau = Math.exp(z[SCHOOLS + 1]);
    double ratio = tau / SCALE;
    double logP =
        Normals.log(mu, 0, SCALE)
            - Math.log1p(ratio * ratio)
            - Math.log(Math.PI * SCALE)
            + z[SCHOOLS + 1]; // of x = e^z
    double byMu = -mu / (SCALE * SCALE);
    double byLogTau = 1 - 2 * ratio * ratio / (1 + ratio * ratio);
    for (int j = 0; j < SCHOOLS; j++) {
      double trans = centred ? (z[j] - mu) / tau : z[j];
      double theta = centred ? z[j] : mu + tau * z[j];
      logP += Normals.log(trans, 0, 1) + Normals.log(effect[j], theta, ERROR[j]);
      double byTheta = (effect[j] - theta) / (ERROR[j] * ERROR[j]);
      if (centred) {
        logP -= z[SCHOOLS + 1];
        gradient[j] = byTheta - trans / tau;
        byMu += trans / tau;
        byLogTau += trans * trans - 1;
      } else {
        gradient[j] = byTheta * tau - trans;
        byMu += byTheta;
        byLogTau += byTheta * tau * trans;
      }
    }
    gradient[SCHOOLS] = byMu;
    gradient[SCHOOLS + 1] = byLogTau;
    return logP;
  }

  /** Effects of schools whose μ and τ come from the priors. */
  @Override
  public Simulated simulate(RandomGenerator random) {
    double[] truth = new double[SCHOOLS + 2];
    double mu = SCALE * random.nextGaussian();
    double tau = SCALE * Math.tan(0.5 * Math.PI * random.nextDouble());
    double[] simulated = new double[SCHOOLS];
    for (int j = 0; j < SCHOOLS; j++) {
      double trans = random.nextGaussian();
      double theta = mu + tau * trans;
      truth[j] = centred ? theta : trans;
      simulated[j] = theta + ERROR[j] * random.nextGaussian();
    }
    truth[SCHOOLS] = mu;
    truth[SCHOOLS + 1] = tau;
    return new Simulated(truth, new EightSchools(centred, simulated));
  }

  /** By quadrature over log τ, all others integrated out; the bounds of normals by optimisation. */
  @Override
  public KnownAnswers known() {
    var known =
        KnownAnswers.ofLogZ(-32.00449473597308)
            .withMoments("mu", 4.39682067, 3.31770449)
            .withMoments("tau", 3.59770621, 3.21995833);
    if (!centred) {
      known = known.withGaussians(-32.2889, -32.2294);
    }
    double[] means = centred ? THETA_MEANS : TRANS_MEANS;
    double[] sds = centred ? THETA_SDS : TRANS_SDS;
    for (int j = 0; j < SCHOOLS; j++) {
      String name = (centred ? "theta." : "theta_trans.") + (j + 1);
      known = known.withMoments(name, means[j], sds[j]);
    }
    return known;
  }

  private static final double[] THETA_MEANS = {
    6.21188453, 4.94017848, 3.92700426, 4.75709832, 3.61547681, 4.04261252, 6.29672447, 4.85425337
  };
  private static final double[] THETA_SDS = {
    5.59312654, 4.67426872, 5.26261544, 4.78029761, 4.65745282, 4.82686587, 5.07784902, 5.29080141
  };
  private static final double[] TRANS_MEANS = {
    0.316659861,
    0.0972628547,
    -0.085546821,
    0.0616029883,
    -0.160764023,
    -0.0722316364,
    0.356725515,
    0.0756072577
  };
  private static final double[] TRANS_SDS = {
    0.988474562,
    0.937707145,
    0.96831072,
    0.943996254,
    0.930664822,
    0.94378556,
    0.960422946,
    0.974123507
  };
}
