package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.posterior.LinearGaussianCif;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.MarginalElbo.Bracket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two-sided estimate of the marginal ELBO: what it brackets and what must not change it. */
@ExtendWith(NativeScope.class)
class MarginalElboTest {
  /** A difference of mean zero is further off than this many standard errors once in 16,000. */
  private static final double ERRORS = 4;

  /** Rounding of float64, relative to the value. */
  private static final double ROUNDING = 1e-12;

  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final Target NOTHING = (_, z) -> z.new_zeros(z.size(0));
  private static final int BLOCKS = 40;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64);
  }

  /** Paired on the same z; with a fresh, hence bad r the differences are strictly positive. */
  @ParameterizedTest
  @MethodSource("kinds")
  void auxiliaryLiesBelowLowerLiesBelowUpper(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, 25);
      var lowerOverAuxiliary = new Moments();
      var upperOverLower = new Moments();
      for (int block = 0; block < BLOCKS; block++) {
        Bracket bracket = estimate(model, x, 5, block);
        lowerOverAuxiliary.add(bracket.lower().mean() - bracket.auxiliary().mean());
        upperOverLower.add(bracket.upper().mean() - bracket.lower().mean());
      }
      assertPositive(lowerOverAuxiliary);
      assertPositive(upperOverLower);
    }
  }

  /**
   * auxiliary = IWHVI(0) ≤ IWHVI(M) ≤ L₁ ≤ eq. 22(M), more of it with less paths; the rungs with
   * all paths are the bracket.
   */
  @ParameterizedTest
  @MethodSource("kinds")
  void everyRungLiesAboveTheLast(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, 500);
      var rungs = estimator(model, 5000).ladder(x, List.of(1L, 4L, 16L), zRng(), uRng()).rungs();
      assertThat(rungs.stream().map(BoundLadder.Rung::paths))
          .containsExactly(0L, 1L, 4L, 16L, 16L, 4L, 1L);
      Bracket bracket = estimator(model, 5000).estimate(x, 16, zRng(), uRng());
      assertThat(rungs.getFirst().bound()).isEqualTo(bracket.auxiliary());
      assertThat(rungs.get(3).bound()).isEqualTo(bracket.lower());
      assertThat(rungs.get(4).bound()).isEqualTo(bracket.upper());
      for (int i = 1; i < rungs.size(); i++) {
        var rung = rungs.get(i);
        assertThat(rung.upper()).isEqualTo(i > 3);
        Estimate rise = rung.rise();
        assertThat(rise.mean()).isGreaterThan(ERRORS * rise.standardError());
        assertThat(rise.mean())
            .isCloseTo(rung.bound().mean() - rungs.get(i - 1).bound().mean(), within(1e-9));
        assertThat(rung.overAuxiliary().mean())
            .isCloseTo(rung.bound().mean() - rungs.getFirst().bound().mean(), within(1e-9));
      }
    }
  }

  @Test
  void pathsHaveToRise() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> estimator(small(), 10).ladder(none(2), List.of(3L, 3L), zRng(), uRng()))
        .withMessage("inner: expected at least 4, got 3");
  }

  /** With log p = 0 the marginal ELBO is -E log q(z), known here at every z. */
  @Test
  void truthLiesStrictlyBetweenLowerAndUpper() {
    var cif = LinearGaussianCif.wrong(BACKEND);
    Model model = cif.model(NOTHING);
    Observation x = Observation.none(200);
    var lower = new Moments();
    var upper = new Moments();
    for (int block = 0; block < BLOCKS; block++) {
      var z = model.posterior().sample(x, zRng().step(block)).z();
      double truth = -Arrays.stream(cif.z().logDensities(z)).average().orElseThrow();
      Bracket bracket = estimate(model, x, 5, block);
      lower.add(truth - bracket.lower().mean());
      upper.add(bracket.upper().mean() - truth);
    }
    assertPositive(lower);
    assertPositive(upper);
  }

  @Test
  void allThreeAgreeWhenRIsExact() {
    Bracket bracket = estimate(LinearGaussianCif.exact(BACKEND).model(NOTHING), none(50), 3, 0);
    double auxiliary = bracket.auxiliary().mean();
    assertThat(bracket.lower().mean()).isCloseTo(auxiliary, within(1e-10));
    assertThat(bracket.upper().mean()).isCloseTo(auxiliary, within(1e-10));
  }

  @Test
  void bracketShrinksWithThePaths() {
    Model model = LinearGaussianCif.wrong(BACKEND).model(NOTHING);
    double last = Double.POSITIVE_INFINITY;
    double first = width(model, 1);
    for (int paths : new int[] {1, 4, 16, 64, 256}) {
      double width = width(model, paths);
      assertThat(width).as("M = %d", paths).isPositive().isLessThan(last);
      last = width;
    }
    assertThat(last).isLessThan(first / 10);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void chunkSizeChangesNothing(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, 9);
      Bracket whole = estimator(model, 10_000).estimate(x, 20, zRng(), uRng());
      for (long maxDraws : new long[] {7, 64}) {
        Bracket parts = estimator(model, maxDraws).estimate(x, 20, zRng(), uRng());
        assertSame(parts.auxiliary(), whole.auxiliary());
        assertSame(parts.lower(), whole.lower());
        assertSame(parts.upper(), whole.upper());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void plainFlowHasOneElboOnly(Kind kind) {
    try (Model model = Posteriors.flow(kind, 1)) {
      Observation x = Posteriors.observation(kind, 30);
      Bracket bracket = estimate(model, x, 50, 0);
      assertThat(bracket.lower()).isEqualTo(bracket.auxiliary());
      assertThat(bracket.upper()).isEqualTo(bracket.auxiliary());
      Estimate elbo = new ForwardWeights(model, 7, Progress.SILENT).auxiliaryElbo(x, 1, zRng());
      assertSame(bracket.auxiliary(), elbo);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 64, 10_000})
  void progressReachesTheTotal(long maxDraws) {
    var reports = new ArrayList<Long>();
    Progress progress =
        (draws, total) -> {
          assertThat(total).isEqualTo(180);
          return reports.add(draws);
        };
    new MarginalElbo(small(), maxDraws, progress).estimate(none(9), 20, zRng(), uRng());
    assertThat(reports).isSorted().doesNotHaveDuplicates().endsWith(180L);
    assertThat(reports.size()).isEqualTo(maxDraws == 7 ? 27 : maxDraws == 64 ? 3 : 1);
  }

  @Test
  void partsOfRowsAndOfPathsAreTheWhole() {
    Bracket whole = estimator(small(), 40).estimate(none(9), 20, zRng(), uRng());
    var rows = new ArrayList<MarginalElbo.Term>();
    for (long[] part : new long[][] {{0, 4}, {4, 5}}) { // two rows are computed at a time
      estimator(small(), 40)
          .forEach(none(part[1]), part[0], 20, zRng(), uRng(), (_, term) -> rows.add(term));
    }
    assertThat(MarginalElbo.bracket(rows)).as("to the last bit").isEqualTo(whole);
    var cut = new ArrayList<MarginalElbo.Term>();
    for (long row = 0; row < 9; row++) {
      var first = estimator(small(), 5).part(none(1), row, 20, 0, 7, zRng(), uRng());
      var second = estimator(small(), 5).part(none(1), row, 20, 7, 20, zRng(), uRng());
      first.paths().add(second.paths().state());
      cut.add(first);
    }
    Bracket merged = MarginalElbo.bracket(cut);
    assertSame(merged.auxiliary(), whole.auxiliary());
    assertSame(merged.lower(), whole.lower());
    assertSame(merged.upper(), whole.upper());
  }

  @Test
  void progressStopsTheComputation() {
    var reports = new ArrayList<Long>();
    var stopping = new MarginalElbo(small(), 40, (d, _) -> reports.add(d) && reports.size() < 2);
    assertThatThrownBy(() -> stopping.estimate(none(9), 20, zRng(), uRng()))
        .isInstanceOf(Progress.StoppedException.class)
        .hasMessage("stopped on request");
    assertThat(reports).isEqualTo(List.of(40L, 80L));
  }

  @Test
  void emptySamplesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> none(0))
        .withMessage("rows: expected at least 1, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Observation.of(BACKEND.zeros(0, 2)))
        .withMessage("x: expected at least one row, got [0, 2]");
    for (long inner : new long[] {0, -3}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> estimate(small(), none(9), inner, 0))
          .withMessage("inner: expected at least 1, got " + inner);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> estimator(small(), 0).estimate(none(9), 20, zRng(), uRng()))
        .withMessageContaining("expected at least 1, got 0");
  }

  private static double width(Model model, long paths) {
    Bracket bracket = estimate(model, none(1000), paths, 0);
    return bracket.upper().mean() - bracket.lower().mean();
  }

  private static Bracket estimate(Model model, Observation x, long inner, int block) {
    return estimator(model, 5000).estimate(x, inner, zRng().step(block), uRng().step(block));
  }

  private static MarginalElbo estimator(Model model, long maxDraws) {
    return new MarginalElbo(model, maxDraws, Progress.SILENT);
  }

  private static Model small() {
    return Posteriors.cif(new Kind(Flow.NSF, Placement.PAPER, false, Precision.FLOAT64), 1);
  }

  private static void assertPositive(Moments differences) {
    Estimate estimate = differences.estimate();
    assertThat(estimate.mean()).isGreaterThan(ERRORS * estimate.standardError());
  }

  private static void assertSame(Estimate actual, Estimate expected) {
    double tolerance = ROUNDING * Math.max(1, Math.abs(expected.mean()));
    assertThat(actual.mean()).isCloseTo(expected.mean(), within(tolerance));
    assertThat(actual.standardError()).isCloseTo(expected.standardError(), within(tolerance));
    assertThat(actual.count()).isEqualTo(expected.count());
  }

  private static Observation none(long rows) {
    return Observation.none(rows);
  }

  private static CounterRng zRng() {
    return new CounterRng(BACKEND, 61, Purpose.EVALUATE);
  }

  private static CounterRng uRng() {
    return new CounterRng(BACKEND, 61, Purpose.MARGINAL);
  }
}
