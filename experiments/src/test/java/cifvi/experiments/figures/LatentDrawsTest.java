package cifvi.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What draws say about the coordinates of z. */
class LatentDrawsTest {
  /** Coordinate 0 is noise, 1 tells images apart a little, 2 fully. */
  private static LatentDraws draws() {
    int images = 4000;
    var random = new Random(1);
    double[] values = new double[images * 4 * 3];
    for (int image = 0; image < images; image++) {
      double mean1 = 0.5 * random.nextGaussian();
      double mean2 = random.nextGaussian();
      for (int draw = 0; draw < 4; draw++) {
        int at = (image * 4 + draw) * 3;
        values[at] = random.nextGaussian();
        values[at + 1] = mean1 + random.nextGaussian();
        values[at + 2] = mean2;
      }
    }
    return new LatentDraws(4, 3, values);
  }

  @Test
  void varianceOfTheMeanIsFreeOfTheDrawsOwnNoise() {
    LatentDraws draws = draws();
    // 4 draws leave a variance of 1/4 in each mean; five standard errors of the estimates
    assertThat(draws.meanVariance(0)).isCloseTo(0, within(0.03));
    assertThat(draws.meanVariance(1)).isCloseTo(0.25, within(0.06));
    assertThat(draws.meanVariance(2)).isCloseTo(1, within(0.12));
  }

  @Test
  void coordinatesComeInOrder() {
    assertThat(draws().mostVaried()).containsExactly(2, 1, 0);
    assertThat(draws().used()).isBetween(2, 3);
    assertThat(draws().images()).isEqualTo(4000);
  }

  @Test
  void zIsTheFirstDraw() {
    var draws = new LatentDraws(2, 2, new double[] {1, 2, 3, 4, 5, 6, 7, 8});
    assertThat(draws.z(1)).containsExactly(5, 6);
  }
}
