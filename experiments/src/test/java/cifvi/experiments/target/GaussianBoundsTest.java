package cifvi.experiments.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The best bounds of normals that are stated are reached by the normals they belong to. */
class GaussianBoundsTest {
  private static final int DRAWS = 200_000;

  /** E[log p] - E[log q] under independent normals. */
  private static double bound(KnownDensity density, double[] means, double[] sds) {
    var random = new SplittableRandom(3);
    int d = density.dimensions();
    double sum = 0;
    for (int n = 0; n < DRAWS; n++) {
      double[] z = new double[d];
      for (int i = 0; i < d; i++) {
        z[i] = means[i] + sds[i] * random.nextGaussian();
        sum -= Normals.log(z[i], means[i], sds[i]);
      }
      sum += density.at(z, new double[d]);
    }
    return sum / DRAWS;
  }

  @Test
  void ofTheFunnel() {
    KnownDensity funnel = Targets.of("funnel");
    double s2 = 1 / (1.0 / 9 + 9.0 / 2);
    double[] sds = new double[10];
    Arrays.fill(sds, Math.exp(-s2 / 4));
    sds[0] = Math.sqrt(s2);
    assertThat(bound(funnel, new double[10], sds))
        .isCloseTo(funnel.known().meanFieldElbo().orElseThrow(), within(0.02));
  }

  @Test
  void ofTheBanana() {
    KnownDensity banana = Targets.of("banana");
    double s = (Math.sqrt(17) - 1) / 8;
    assertThat(bound(banana, new double[] {0, s}, new double[] {Math.sqrt(s), 1}))
        .isCloseTo(banana.known().meanFieldElbo().orElseThrow(), within(0.01));
  }

  @Test
  void ofACorrelatedNormal() {
    var gaussian = new Gaussian(10);
    double rho2 = Gaussian.CORRELATION * Gaussian.CORRELATION;
    double[] means = new double[10];
    double[] sds = new double[10];
    for (int i = 0; i < 10; i++) {
      means[i] = Gaussian.mean(i);
      double precision = (i == 0 || i == 9 ? 1 : 1 + rho2) / (1 - rho2);
      sds[i] = gaussian.sd(i) / Math.sqrt(precision);
    }
    assertThat(bound(gaussian, means, sds))
        .isCloseTo(gaussian.known().meanFieldElbo().orElseThrow(), within(0.02));
  }
}
