package cifvi.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ranks that are uniform are told from ranks that are not. */
class CalibrationTest {
  private static Calibration ranks(double power) {
    var random = new SplittableRandom(1);
    List<int[]> ranks =
        IntStream.range(0, 300)
            .mapToObj(
                _ ->
                    new int[] {
                      random.nextInt(100), (int) (100 * Math.pow(random.nextDouble(), power))
                    })
            .toList();
    return Calibration.of(List.of("a", "b"), ranks, 99);
  }

  @Test
  void uniformRanksAre() {
    assertThat(ranks(1).calibrated()).isTrue();
  }

  @Test
  void ranksToOneSideAreNot() {
    Calibration skewed = ranks(1.6);
    assertThat(skewed.calibrated()).isFalse();
    assertThat(skewed.worst().name()).isEqualTo("b");
    assertThat(skewed.worst().ranks()).hasSize(300);
  }

  /** Fits that are too narrow have ranks at both ends. */
  @Test
  void hornsAreSeen() {
    List<int[]> ranks =
        IntStream.range(0, 60)
            .mapToObj(i -> new int[] {i < 20 ? i % 10 : i < 40 ? 99 - i % 10 : 10 + 4 * (i - 40)})
            .toList();
    assertThat(Calibration.of(List.of("tau"), ranks, 99).calibrated()).isFalse();
  }

  /** From tables. */
  @Test
  void theTailIsThatOfChiSquare() {
    assertThat(Calibration.chiSquareTail(16.919, 9)).isCloseTo(0.05, within(1e-3));
    assertThat(Calibration.chiSquareTail(21.666, 9)).isCloseTo(0.01, within(3e-4));
    assertThat(Calibration.chiSquareTail(4.168, 9)).isCloseTo(0.9, within(2e-3));
  }

  /** From tables of Kolmogorov's distribution. */
  @Test
  void theDistributionIsKolmogorovs() {
    assertThat(Calibration.kolmogorov(1.3581)).isCloseTo(0.05, within(1e-4));
    assertThat(Calibration.kolmogorov(1.6276)).isCloseTo(0.01, within(1e-4));
  }
}
