package cifvi.experiments.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How time is shared out among engines, on a clock that only their steps move. */
class StepTimerTest {
  private static final double WARM_UP = 1.5;

  private double now; // milliseconds
  private final List<Engine> turns = new ArrayList<>();

  /** Steps that all take as long. */
  private final class Engine {
    final double ms;
    final StepTimer timer;
    final List<Integer> samples = new ArrayList<>();

    Engine(double ms, boolean gpu) {
      this.ms = ms;
      timer = new StepTimer(this::steps, gpu, () -> Math.round(1e6 * now));
    }

    private void steps(int count) {
      now += count * ms;
      samples.add(count);
      if (turns.isEmpty() || turns.getLast() != this) {
        turns.add(this);
      }
    }

    double seconds() {
      return samples.stream().mapToInt(count -> count).sum() * ms / 1e3;
    }
  }

  @ParameterizedTest
  @CsvSource({"0.1, 50", "0.4, 50", "2, 10", "19, 1", "57, 1"})
  void onAGpuASampleTakes20MsAndAtMost50Steps(double ms, int atOnce) {
    var gpu = new Engine(ms, true);
    var cpu = new Engine(ms, false);
    StepTimer.run(List.of(gpu.timer, cpu.timer), 2);
    assertThat(gpu.samples.reversed().subList(0, 30)).containsOnly(atOnce);
    assertThat(cpu.samples).containsOnly(1);
    assertThat(gpu.timer.quantile(0.5)).isCloseTo(ms, within(1e-6));
    assertThat(cpu.timer.quantile(0.1)).isCloseTo(ms, within(1e-6));
  }

  @Test
  void aSlowEngineAndAFastOneHaveTheirTimeInTurns() {
    var eager = new Engine(57, true);
    var graph = new Engine(0.4, true);
    StepTimer.run(List.of(eager.timer, graph.timer), 5);
    for (Engine engine : List.of(eager, graph)) {
      assertThat(engine.seconds()).isBetween(WARM_UP + 5, WARM_UP + 5.3);
    }
    assertThat(turns).hasSizeGreaterThan(80);
  }

  @Test
  void stepsThatAreLongerThanTheirTimeDoNotHoldUpTheOthers() {
    var large = new Engine(4000, false);
    var small = new Engine(3, false);
    StepTimer.run(List.of(large.timer, small.timer), 5);
    assertThat(large.samples).hasSize(1 + 4); // warm-up, and until three times five seconds
    assertThat(small.seconds()).isBetween(WARM_UP + 5, WARM_UP + 5.3);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1})
  void someSamplesAreTakenHoweverLittleTimeThereIs(double seconds) {
    var engine = new Engine(30, false);
    StepTimer.run(List.of(engine.timer), seconds);
    assertThat(engine.timer.quantile(0.5)).isCloseTo(30, within(1e-6));
    assertThat(engine.seconds()).isBetween(WARM_UP + 0.1, WARM_UP + 0.5);
  }
}
