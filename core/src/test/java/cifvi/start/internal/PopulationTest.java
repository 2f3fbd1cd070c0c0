package cifvi.start.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.target.HostTarget.Densities;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Mixtures that begin beside their density, with the wrong shapes and weights. */
class PopulationTest {
  /** Weights 0.2 and 0.8, means (-4, 1) and (4, 0), correlation 0.6 in the second. */
  private static final Densities TWO =
      (z, logP, _) -> {
        for (int i = 0; i < logP.length; i++) {
          double x = z[2 * i];
          double y = z[2 * i + 1];
          double left = 0.2 * Math.exp(-0.5 * (sq(x + 4) + sq((y - 1) / 0.5))) / 0.5;
          double quadratic = sq(x - 4) - 1.2 * (x - 4) * y + sq(y);
          double right = 0.8 * Math.exp(-0.5 * quadratic / 0.64) / 0.8;
          logP[i] = Math.log(left + right) - Math.log(2 * Math.PI);
        }
      };

  private static double sq(double v) {
    return v * v;
  }

  private static Mixture begin() {
    return new Mixture(
        new double[] {Math.log(0.5), Math.log(0.5)},
        List.of(
            Frame.around(new double[] {-3.5, 0.7}, 0.8),
            Frame.around(new double[] {3.5, 0.3}, 0.8)));
  }

  @Test
  void weightsMeansAndCovariancesAreThoseOfTheDensity() {
    Mixture found = Population.adapted(begin(), TWO, 1);
    assertThat(Math.exp(found.logWeights()[1])).isCloseTo(0.8, within(0.02));
    Frame left = found.normals().get(0);
    Frame right = found.normals().get(1);
    assertThat(left.centre()).containsExactly(new double[] {-4, 1}, within(0.15));
    assertThat(right.centre()).containsExactly(new double[] {4, 0}, within(0.1));
    assertThat(left.factor()).containsExactly(new double[] {1, 0, 0, 0.5}, within(0.15));
    assertThat(right.factor()).containsExactly(new double[] {1, 0, 0.6, 0.8}, within(0.1));
  }

  @Test
  void withoutAnswersNothingChanges() {
    Mixture begin = begin();
    Densities none = (_, logP, _) -> Arrays.fill(logP, Double.NEGATIVE_INFINITY);
    assertThat(Population.adapted(begin, none, 1)).isSameAs(begin);
  }
}
