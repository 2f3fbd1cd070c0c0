package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The running log-mean-exp against the formula itself, and where the formula breaks. */
class LogMeanExpTest {
  /** Rounding of float64. */
  private static final double ROUNDING = 1e-12;

  @Test
  void valueAndErrorAreThoseOfTheFormula() {
    double[] x = new Random(1).doubles(1000, -3, 3).toArray();
    double[] w = Arrays.stream(x).map(Math::exp).toArray();
    double mean = Arrays.stream(w).average().orElseThrow();
    double variance = Arrays.stream(w).map(e -> (e - mean) * (e - mean)).sum() / (w.length - 1);
    Estimate estimate = of(x).estimate();
    assertThat(estimate.mean()).isCloseTo(Math.log(mean), within(ROUNDING));
    assertThat(estimate.standardError())
        .isCloseTo(Math.sqrt(variance / w.length) / mean, within(ROUNDING));
    assertThat(estimate.count()).isEqualTo(w.length);
    assertThat(of(x).value()).isEqualTo(estimate.mean());
  }

  @Test
  void orderDoesNotMatter() {
    double[] rising = {-800, -1, 0, 5};
    double[] falling = {5, 0, -1, -800};
    assertThat(of(rising).value()).isCloseTo(of(falling).value(), within(ROUNDING));
  }

  @Test
  void hugeAndTinyNumbersNeitherOverflowNorVanish() {
    assertThat(of(1000, 1000 + Math.log(3)).value()).isCloseTo(1000 + Math.log(2), within(1e-9));
    assertThat(of(-1000, -1000 + Math.log(3)).value()).isCloseTo(-1000 + Math.log(2), within(1e-9));
    assertThat(of(-5000, 5000).value()).isCloseTo(5000 - Math.log(2), within(1e-9));
  }

  @Test
  void minusInfinityIsAWeightOfZero() {
    double nothing = Double.NEGATIVE_INFINITY;
    assertThat(of(nothing, 0).value()).isCloseTo(-Math.log(2), within(ROUNDING));
    assertThat(of(0, nothing).value()).isCloseTo(-Math.log(2), within(ROUNDING));
    assertThat(of(nothing, nothing).value()).isEqualTo(nothing);
  }

  /** A weight that could not be computed must not pass for a weight of zero. */
  @Test
  void notANumberIsNotSwallowed() {
    assertThat(of(0, Double.NaN).value()).isNaN();
    assertThat(of(Double.NaN, 0).value()).isNaN();
  }

  @Test
  void equalWeightsHaveNoErrorAndOneWeightAnUnknownOne() {
    assertThat(of(2, 2, 2).estimate().standardError()).isZero();
    assertThat(of(2).estimate().standardError()).isNaN();
    assertThat(of(2).value()).isEqualTo(2);
  }

  private static LogMeanExp of(double... values) {
    var mean = new LogMeanExp();
    Arrays.stream(values).forEach(mean::add);
    return mean;
  }

  @Test
  void twoPutTogetherAreOneOfAllNumbers() {
    double[] numbers = {Double.NEGATIVE_INFINITY, -700, 3, 2.5, 800, 799, -1};
    for (int cut = 0; cut <= numbers.length; cut++) {
      var whole = new LogMeanExp();
      var first = new LogMeanExp();
      var second = new LogMeanExp();
      for (int i = 0; i < numbers.length; i++) {
        whole.add(numbers[i]);
        (i < cut ? first : second).add(numbers[i]);
      }
      first.add(second.state());
      assertThat(first.count()).isEqualTo(numbers.length);
      assertThat(first.value()).isCloseTo(whole.value(), within(1e-12));
      assertThat(first.estimate().standardError())
          .isCloseTo(whole.estimate().standardError(), within(1e-12));
      if (cut == 0) {
        assertThat(first.state()).as("restored to the last bit").isEqualTo(whole.state());
      }
    }
  }
}
