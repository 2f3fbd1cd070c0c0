package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EarlyStoppingTest {
  private static EarlyStopping after(int patience, double... values) {
    var stopping = new EarlyStopping(patience);
    for (double value : values) {
      stopping.add(value);
    }
    return stopping;
  }

  @Test
  void theFirstBadEpochBeyondThePatienceStops() {
    var stopping = after(50, -100);
    IntStream.range(0, 50).forEach(_ -> stopping.add(-101));
    assertThat(stopping.stop()).isFalse();
    assertThat(stopping.patienceLeft()).isZero();
    stopping.add(-101);
    assertThat(stopping.stop()).isTrue();
    assertThat(stopping.epochs()).isEqualTo(52);
    assertThat(stopping.bestEpoch()).isEqualTo(1);
  }

  @Test
  void onlyAStrictlyBetterValueCounts() {
    var stopping = after(3, -100, -101);
    assertThat(stopping.add(-100)).isFalse();
    assertThat(stopping.badEpochs()).isEqualTo(2);
    assertThat(stopping.add(Math.nextUp(-100.0))).isTrue();
    assertThat(stopping.badEpochs()).isZero();
    assertThat(stopping.bestEpoch()).isEqualTo(4);
  }

  @Test
  void nanIsNeverTheBest() {
    var stopping = after(1, Double.NaN);
    assertThat(stopping.bestEpoch()).isZero();
    assertThat(stopping.add(Double.NaN)).isFalse();
    assertThat(stopping.stop()).isTrue();
  }

  @Test
  void patienceZeroStopsAtTheFirstBadEpoch() {
    assertThat(after(0, -3, -2).stop()).isFalse();
    assertThat(after(0, -3, -2, -2).stop()).isTrue();
  }
}
