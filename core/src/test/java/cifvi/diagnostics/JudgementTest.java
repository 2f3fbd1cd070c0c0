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

  private static final ImportanceWeights EVEN = weights(0.2, 0.1);

  private static Judgement judged(
      ImportanceWeights weights, ImportanceWeights wide, double shift, double apart) {
    return Judgement.of(
        new Facts(
            true,
            0,
            weights,
            null,
            wide,
            new Shift("tau", shift, 0, 0.01),
            new Shift("tau", 0, apart, 0.01),
            0.3,
            0.3,
            null,
            List.of(),
            null,
            null));
  }

  @Test
  void weightsThatAreWorthHalfOfTheDrawsAndChangeNothingAreGood() {
    assertThat(judged(EVEN, EVEN, 0.01, 0.01).verdict()).isEqualTo(Verdict.GOOD);
    assertThat(judged(EVEN, EVEN, 0.3, 0.01).verdict()).isEqualTo(Verdict.USABLE);
  }

  @Test
  void thoseThatAreWorthLessAreToBeCorrected() {
    ImportanceWeights few = weights(0.55, 100);
    assertThat(few.kHat()).isLessThan(0.7);
    assertThat(few.effectiveSampleSize()).isBetween(0.1 * DRAWS, 0.5 * DRAWS);
    Judgement judgement = judged(few, EVEN, 0.01, 0.01);
    assertThat(judgement.verdict()).isEqualTo(Verdict.USABLE);
    assertThat(judgement.why()).last().asString().contains("less than half of the draws");
    assertThat(judged(EVEN, few, 0.01, 0.01).verdict()).isEqualTo(Verdict.USABLE);
  }

  @Test
  void massFurtherOutIsPoorHoweverEvenTheWeightsOfTheDraws() {
    ImportanceWeights heavy = weights(0.9, 0.1);
    assertThat(heavy.kHat()).isGreaterThan(0.7);
    Judgement judgement = judged(EVEN, heavy, 0.01, 0.01);
    assertThat(judgement.verdict()).isEqualTo(Verdict.POOR);
    assertThat(judgement.why()).anyMatch(fact -> fact.contains("mass where q hardly comes"));
    assertThat(judgement.next()).contains("more steps");
  }

  @Test
  void drawsFurtherOutThatDoNotAgreeArePoor() {
    Judgement judgement = judged(EVEN, EVEN, 0.01, 0.3);
    assertThat(judgement.verdict()).isEqualTo(Verdict.POOR);
    assertThat(judgement.why())
        .anyMatch(fact -> fact.contains("do not agree") && fact.contains("tau"));
  }
}
