package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Learning rates over the steps of a run. */
class ScheduleTest {
  /** Rounding of float64. */
  private static final double ROUNDING = 1e-15;

  @Test
  void constantIsConstant() {
    Schedule schedule = Schedule.constant(1e-3);
    assertThat(schedule.rate(0)).isEqualTo(1e-3);
    assertThat(schedule.rate(1_000_000)).isEqualTo(1e-3);
  }

  @Test
  void cosineFallsFromTheRateToZero() {
    Schedule schedule = Schedule.cosine(1e-2, 100);
    assertThat(schedule.rate(0)).isEqualTo(1e-2);
    assertThat(schedule.rate(25)).isCloseTo(1e-2 * (2 + Math.sqrt(2)) / 4, within(ROUNDING));
    assertThat(schedule.rate(50)).isCloseTo(5e-3, within(ROUNDING));
    assertThat(schedule.rate(100)).isCloseTo(0, within(ROUNDING));
    for (int step = 0; step < 100; step++) {
      assertThat(schedule.rate(step + 1)).isLessThan(schedule.rate(step));
    }
  }

  @Test
  void cosineStaysAtZeroAfterItsEnd() {
    assertThat(Schedule.cosine(1e-2, 100).rate(150)).isCloseTo(0, within(ROUNDING));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1e-3, Double.NaN, Double.POSITIVE_INFINITY})
  void ratesMustBePositive(double rate) {
    String message = "learning rate: expected a positive number, got " + rate;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedule.constant(rate))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedule.cosine(rate, 10))
        .withMessage(message);
  }

  @Test
  void aWarmUpRisesAlongALine() {
    var schedule = Schedule.cosine(1e-2, 100).warmedUp(20);
    assertThat(schedule.rate(0)).isCloseTo(1e-2 / 20, within(ROUNDING));
    for (int step = 0; step <= 100; step++) {
      double cosine = 0.5 * (1 + Math.cos(Math.PI * step / 100));
      assertThat(schedule.rate(step))
          .isCloseTo(1e-2 * cosine * Math.min(1, (step + 1) / 20.0), within(ROUNDING));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedule.constant(1).warmedUp(0))
        .withMessage("warm-up: expected at least 1 step, got 0");
  }

  @Test
  void cosineNeedsAStep() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedule.cosine(1e-3, 0))
        .withMessage("steps: expected at least 1, got 0");
  }
}
