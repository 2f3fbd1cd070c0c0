package cifvi.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Weights that change nothing are proof of a good fit only where they can be. */
class JudgementTest {
  private static final int DRAWS = 4000;

  /**
   * The quantiles of 1 + c X, X being Pareto with the shape k: the larger c, the fewer draws they
   * are worth.
   */
  private static ImportanceWeights weights(double k, double c) {
    return new ImportanceWeights(
        IntStream.range(0, DRAWS)
            .mapToDouble(i -> Math.pow((i + 0.5) / DRAWS, -k))
            .map(x -> Math.log(1 + c * x))
            .toArray());
  }

  private static Judgement judged(ImportanceWeights weights, double shift) {
    var moved = new Shift("tau", shift, 0);
    return Judgement.of(
        new Judgement.Facts(true, 0, weights, null, moved, 0.3, null, List.of(), null, null));
  }

  @Test
  void weightsWithAHeavyTailThatAreWorthFewDrawsAreNoProof() {
    ImportanceWeights few = weights(0.62, 100);
    assertThat(few.kHat()).isBetween(0.5, 0.7);
    assertThat(few.effectiveSampleSize()).isBetween(0.1 * DRAWS, 0.6 * DRAWS);
    Judgement judgement = judged(few, 0.01);
    assertThat(judgement.verdict()).isEqualTo(Verdict.POOR);
    assertThat(judgement.why()).last().asString().contains("no proof");
    assertThat(judgement.next()).contains("more steps");
    assertThat(judged(few, 0.3).verdict()).isEqualTo(Verdict.USABLE);
  }

  @Test
  void thoseThatAreWorthMostDrawsOrHaveAFiniteVarianceAre() {
    ImportanceWeights most = weights(0.62, 0.1);
    assertThat(most.kHat()).isBetween(0.5, 0.7);
    assertThat(most.effectiveSampleSize()).isGreaterThan(0.6 * DRAWS);
    assertThat(judged(most, 0.01).verdict()).isEqualTo(Verdict.GOOD);
    ImportanceWeights light = weights(0.4, 100);
    assertThat(light.kHat()).isLessThan(0.5);
    assertThat(judged(light, 0.01).verdict()).isEqualTo(Verdict.GOOD);
    assertThat(judged(light, 0.3).verdict()).isEqualTo(Verdict.USABLE);
  }
}
