package cifvi.experiments.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both forms of the eight schools: the model as it is written in Stan, and its evidence. */
class EightSchoolsTest {
  private static final double[] Y = {28, 8, -3, 7, -1, 1, 18, 12};
  private static final double[] SIGMA = {15, 10, 16, 11, 9, 11, 10, 18};

  private static double logCauchy(double x) {
    return -Math.log(Math.PI * 5) - Math.log1p(x * x / 25);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDensityIsTheModel(boolean centred) {
    var density = new EightSchools(centred);
    var random = new SplittableRandom(4);
    for (int n = 0; n < 20; n++) {
      double[] z = TargetsTest.point(random, 10);
      double[] x = new double[10];
      double expected = density.parameters().constrain(z, x);
      double mu = x[8];
      double tau = x[9];
      expected += Normals.log(mu, 0, 5) + logCauchy(tau);
      for (int j = 0; j < 8; j++) {
        double theta = centred ? x[j] : mu + tau * x[j];
        expected += centred ? Normals.log(theta, mu, tau) : Normals.log(x[j], 0, 1);
        expected += Normals.log(Y[j], theta, SIGMA[j]);
      }
      assertThat(density.at(z, new double[10])).isCloseTo(expected, within(1e-9));
    }
  }

  /** Given log τ and μ, y_j ~ N(μ, τ² + σ_j²). */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void evidenceAndMomentsAreThoseOfTheIntegral(boolean centred) {
    double mass = 0;
    double meanMu = 0;
    double meanTau = 0;
    double step = 0.05;
    for (double logTau = -16; logTau < 8; logTau += step) {
      double tau = Math.exp(logTau);
      for (double mu = -40; mu < 40; mu += 0.25) {
        double logP = Normals.log(mu, 0, 5) + logCauchy(tau) + logTau;
        for (int j = 0; j < 8; j++) {
          logP += Normals.log(Y[j], mu, Math.hypot(tau, SIGMA[j]));
        }
        double here = Math.exp(logP) * step * 0.25;
        mass += here;
        meanMu += here * mu;
        meanTau += here * tau;
      }
    }
    KnownAnswers known = new EightSchools(centred).known();
    assertThat(Math.log(mass)).isCloseTo(known.logZ().orElseThrow(), within(1e-4));
    assertThat(meanMu / mass).isCloseTo(known.moments("mu").mean(), within(1e-4));
    assertThat(meanTau / mass).isCloseTo(known.moments("tau").mean(), within(1e-3));
  }
}
