package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Running mean and variance against the textbook formulas. */
class MomentsTest {
  /** Rounding of float64. */
  private static final double ROUNDING = 1e-12;

  @Test
  void meanAndErrorsOfFourNumbers() {
    Moments moments = moments(1, 2, 4, 9);
    assertThat(moments.count()).isEqualTo(4);
    assertThat(moments.mean()).isCloseTo(4, within(ROUNDING));
    assertThat(moments.populationStd()).isCloseTo(Math.sqrt(38 / 4.0), within(ROUNDING));
    Estimate estimate = moments.estimate();
    assertThat(estimate.mean()).isCloseTo(4, within(ROUNDING));
    assertThat(estimate.standardError()).isCloseTo(Math.sqrt(38 / 3.0 / 4), within(ROUNDING));
    assertThat(estimate.count()).isEqualTo(4);
  }

  @Test
  void smallSpreadAroundALargeMeanIsNotLost() {
    Moments moments = moments(1e9 + 1, 1e9 + 2, 1e9 + 3);
    assertThat(moments.mean()).isEqualTo(1e9 + 2);
    assertThat(moments.populationStd()).isCloseTo(Math.sqrt(2 / 3.0), within(1e-6));
  }

  @Test
  void oneValueHasNoStandardError() {
    Estimate estimate = moments(7).estimate();
    assertThat(estimate.mean()).isEqualTo(7);
    assertThat(estimate.standardError()).isNaN();
  }

  @Test
  void notANumberIsNotSwallowed() {
    assertThat(moments(1, Double.NaN, 2).mean()).isNaN();
  }

  private static Moments moments(double... values) {
    var moments = new Moments();
    for (double value : values) {
      moments.add(value);
    }
    return moments;
  }
}
