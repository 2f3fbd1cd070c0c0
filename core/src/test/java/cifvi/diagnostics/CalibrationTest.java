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

  /** From tables of Kolmogorov's distribution. */
  @Test
  void theDistributionIsKolmogorovs() {
    assertThat(Calibration.kolmogorov(1.3581)).isCloseTo(0.05, within(1e-4));
    assertThat(Calibration.kolmogorov(1.6276)).isCloseTo(0.01, within(1e-4));
  }
}
