package cifvi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.LogDensity.Calls;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What becomes of densities that throw, have no answer, wait, or give wrong ones. */
class FaultyDensityTest {
  private static double normal(double[] z, double[] gradient) {
    double sum = 0;
    for (int i = 0; i < z.length; i++) {
      gradient[i] = -z[i];
      sum += z[i] * z[i];
    }
    return -0.5 * sum;
  }

  private static Fit quick(LogDensity density) {
    return Cifvi.fitting(density).family(Family.MEAN_FIELD).steps(300).samples(64);
  }

  @Test
  void oneThatThrowsAtEveryTenthDrawIsFittedByTheOthers() {
    var calls = new AtomicLong();
    var density =
        LogDensity.of(
            2,
            (z, gradient) -> {
              if (calls.incrementAndGet() % 10 == 0) {
                throw new IllegalStateException("no answer today");
              }
              return normal(z, gradient);
            });
    try (var posterior = quick(density).run()) {
      assertThat(posterior.draws(5000).sd("z.1")).isCloseTo(1, within(0.1));
      assertThat(posterior.report().notes())
          .anyMatch(
              note ->
                  note.contains(" calls, which count for nothing; first:")
                      && note.contains("no answer today at z = ["));
    }
  }

  /** NaN where z₁ < 0: the draws stay on the other side, but for a few. */
  @Test
  void oneWithoutAnswerOnAHalfSpaceIsFittedOnTheOther() {
    var density = LogDensity.of(1, (z, gradient) -> z[0] < 0 ? Double.NaN : normal(z, gradient));
    try (var posterior = quick(density).initialPoint(1).run()) {
      double[] z = posterior.draws(5000).column("z.1");
      assertThat(Arrays.stream(z).filter(v -> v >= 0).count()).isGreaterThan(3500);
      assertThat(posterior.report().elbo()).isFinite();
    }
  }

  @Test
  void oneThatAlwaysFailsIsRefusedBeforeTheFirstStep() {
    assertThatThrownBy(() -> Cifvi.fit(LogDensity.of(2, (_, _) -> Double.NaN)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("density: no answer at any of 64 points around the start;")
        .hasMessageContaining("initialPoint")
        .hasMessageContaining("log p = NaN at z = [");
  }

  @Test
  void aWrongGradientIsNoticed() {
    var density =
        LogDensity.of(
            2,
            (z, gradient) -> {
              double value = normal(z, gradient);
              gradient[1] = -gradient[1];
              return value;
            });
    try (var posterior = quick(density).steps(1).run()) {
      assertThat(posterior.report().notes())
          .anyMatch(note -> note.startsWith("density: the gradient looks wrong:"));
    }
  }

  @Test
  void aRightOneIsNot() {
    try (var posterior = quick(LogDensity.of(3, FaultyDensityTest::normal)).steps(1).run()) {
      assertThat(posterior.report().notes()).containsExactly("16 points led to one mode");
    }
  }

  @Test
  void anAnswerThatChangesIsNoticed() {
    var calls = new AtomicLong();
    var density =
        LogDensity.of(1, (z, gradient) -> normal(z, gradient) + calls.incrementAndGet() % 7);
    try (var posterior = quick(density).steps(1).run()) {
      assertThat(posterior.report().notes())
          .anyMatch(note -> note.startsWith("density: two answers at z = ["));
    }
  }

  @Test
  void virtualThreadsWaitTogether() {
    Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    var most = new AtomicLong();
    var density =
        LogDensity.of(
            1,
            Calls.VIRTUAL,
            (z, gradient) -> {
              waiting.add(Thread.currentThread());
              most.accumulateAndGet(waiting.size(), Math::max);
              try {
                Thread.sleep(20);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              waiting.remove(Thread.currentThread());
              return normal(z, gradient);
            });
    try (var _ = quick(density).steps(3).samples(16).run()) {
      assertThat(most.get()).isGreaterThan(8);
    }
  }

  @Test
  void manyDimensionsAreNoObstacle() {
    try (var posterior = quick(LogDensity.of(200, FaultyDensityTest::normal)).run()) {
      assertThat(posterior.draws(10).names()).hasSize(200).endsWith("z.200");
    }
  }
}
