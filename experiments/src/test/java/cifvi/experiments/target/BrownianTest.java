package cifvi.experiments.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The Brownian motion: its model term by term, and its evidence by a filter on a lattice. */
class BrownianTest {
  private final Brownian density = new Brownian();

  @Test
  void theDensityIsTheModel() {
    var random = new SplittableRandom(5);
    for (int n = 0; n < 20; n++) {
      double[] z = TargetsTest.point(random, 32);
      double[] x = new double[32];
      double expected = density.parameters().constrain(z, x);
      for (int k = 0; k < 2; k++) {
        expected += Normals.log(Math.log(x[k]), 0, 2) - Math.log(x[k]);
      }
      for (int t = 0; t < 30; t++) {
        expected += Normals.log(x[2 + t], t == 0 ? 0 : x[1 + t], x[0]);
        double y = Brownian.observed(t);
        expected += Double.isNaN(y) ? 0 : Normals.log(y, x[2 + t], x[1]);
      }
      assertThat(density.at(z, new double[32]))
          .isCloseTo(expected, within(1e-9 * Math.abs(expected)));
    }
  }

  /** The last location given all observations is where the filter ends. */
  @Test
  void evidenceAndMomentsAreThoseOfTheIntegral() {
    double step = 0.05;
    double mass = 0;
    var means = new double[3];
    for (double a = -7; a < 4; a += step) {
      for (double b = -16; b < 4; b += step) {
        double mean = 0;
        double variance = 0;
        double logP = Normals.log(a, 0, 2) + Normals.log(b, 0, 2);
        double noise = Math.exp(2 * b);
        for (int t = 0; t < 30; t++) {
          variance += Math.exp(2 * a);
          double y = Brownian.observed(t);
          if (!Double.isNaN(y)) {
            logP += Normals.log(y, mean, Math.sqrt(variance + noise));
            double gain = variance / (variance + noise);
            mean += gain * (y - mean);
            variance *= 1 - gain;
          }
        }
        double here = Math.exp(logP) * step * step;
        mass += here;
        means[0] += here * Math.exp(a);
        means[1] += here * Math.exp(b);
        means[2] += here * mean;
      }
    }
    KnownAnswers known = density.known();
    assertThat(Math.log(mass)).isCloseTo(known.logZ().orElseThrow(), within(2e-6));
    var names = new String[] {"innovation_noise_scale", "observation_noise_scale", "locs.30"};
    for (int k = 0; k < 3; k++) {
      assertThat(means[k] / mass).isCloseTo(known.moments(names[k]).mean(), within(2e-6));
    }
  }
}
