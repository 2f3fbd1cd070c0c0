package cifvi.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Round numbers along an axis. */
class TicksTest {
  @Test
  void wholeNumbersBeginWithTheFirst() {
    assertThat(Ticks.whole(0, 3000, 5)).containsExactly(0, 1000, 2000, 3000);
    assertThat(Ticks.whole(1, 7, 5)).containsExactly(1, 4, 6);
    assertThat(Ticks.whole(1, 2, 5)).containsExactly(1, 2);
    assertThat(Ticks.whole(1, 100, 5)).containsExactly(1, 50, 100);
  }
}
