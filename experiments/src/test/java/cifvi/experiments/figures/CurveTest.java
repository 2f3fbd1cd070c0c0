package cifvi.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.StepRow;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Thinned training curves and their axis. */
class CurveTest {
  private static List<StepRow> rows(long steps, LongToDoubleFunction elbo) {
    return LongStream.rangeClosed(1, steps)
        .mapToObj(step -> new StepRow(step, elbo.applyAsDouble(step), 1, 0.001, 20))
        .toList();
  }

  @Test
  void bucketsHoldMeanAndRange() {
    Curve curve = Curve.of(rows(7, step -> -step), 3);
    assertThat(curve.buckets())
        .containsExactly(
            new Curve.Bucket(1, 3, -2, -3, -1),
            new Curve.Bucket(4, 6, -5, -6, -4),
            new Curve.Bucket(7, 7, -7, -7, -7));
    assertThat(curve.done()).isEqualTo(8); // counted from 0
  }

  @Test
  void neverHasMorePointsThanAskedFor() {
    for (long steps : new long[] {0, 1, 399, 400, 401, 20_000}) {
      assertThat(Curve.of(rows(steps, _ -> -1), 400).buckets())
          .hasSizeBetween((int) Math.min(steps, 200), 400);
    }
  }

  @Test
  void leavesOutStepsThatWereNotFinite() {
    Curve curve = Curve.of(rows(4, step -> step < 3 ? Double.NaN : -step), 2);
    assertThat(curve.buckets()).containsExactly(new Curve.Bucket(3, 4, -3.5, -4, -3));
  }

  @Test
  void smoothingKeepsAStraightLine() {
    double[] smooth = Curve.of(rows(200, step -> -0.5 * step), 200).smoothed();
    for (int i = 0; i < smooth.length; i++) {
      assertThat(smooth[i]).isCloseTo(-0.5 * (i + 1), within(1e-9));
    }
  }

  @Test
  void theStartDoesNotSquashTheAxis() {
    Curve curve = Curve.of(rows(400, step -> step < 20 ? -5000 : -0.5), 400);
    ElboAxis axis = ElboAxis.of(List.of(curve));
    assertThat(axis.stretched()).isFalse();
    assertThat(axis.low()).isBetween(-1.0, -0.5);
    assertThat(axis.position(0)).isBetween(0.9, 1.0);
  }

  @Test
  void runsFarApartShareAStretchedAxis() {
    Curve good = Curve.of(rows(100, _ -> -0.1), 100);
    Curve bad = Curve.of(rows(100, _ -> -1140), 100);
    ElboAxis axis = ElboAxis.of(List.of(good, bad));
    assertThat(axis.stretched()).isTrue();
    assertThat(axis.position(-1140)).isBetween(0.0, 0.1);
    assertThat(axis.position(0) - axis.position(-0.1)).isGreaterThan(0.05);
    assertThat(axis.ticks()).contains(0, -1, -1000);
  }

  @Test
  void anEmptyCurveStillHasAnAxis() {
    ElboAxis axis = ElboAxis.of(List.of(Curve.of(List.of(), 10)));
    assertThat(axis.position(0)).isBetween(0.0, 1.0);
  }

  @Test
  void ticksAreRound() {
    assertThat(Ticks.between(-3, 3, 5)).containsExactly(-2, 0, 2);
    assertThat(Ticks.between(0, 20_000, 5)).containsExactly(0, 5000, 10_000, 15_000, 20_000);
  }

  @Test
  void epochsAreNotSmoothed() {
    List<EpochRow> epochs =
        List.of(epoch(1, -150, -140, 0), epoch(2, -110, -105, 0), epoch(3, -104, -106, 1));
    Curve validation = Curve.validation(epochs);
    assertThat(validation.smoothed()).containsExactly(-140, -105, -106);
    assertThat(validation.buckets().getLast())
        .isEqualTo(new Curve.Bucket(3, 3, -106, -106.5, -105.5));
    assertThat(validation.done()).isEqualTo(3);
    assertThat(Curve.training(epochs).smoothed()).containsExactly(-150, -110, -104);
    assertThat(EpochRow.best(epochs)).contains(epochs.get(1));
    assertThat(EpochRow.best(List.of())).isEmpty();
  }

  private static EpochRow epoch(long epoch, double train, double valid, long badEpochs) {
    return new EpochRow(epoch, 10 * epoch, train, valid, 0.5, valid, badEpochs, null, 1);
  }

  @Test
  void axisNearTheEndCutsOffTheStart() {
    Curve curve =
        Curve.validation(List.of(epoch(1, 0, -500, 0), epoch(2, 0, -105, 0), epoch(3, 0, -100, 0)));
    ElboAxis axis = ElboAxis.near(List.of(curve));
    assertThat(axis.position(-500)).isNegative();
    assertThat(axis.position(-105)).isBetween(0.4, 0.6);
    assertThat(axis.position(-100)).isBetween(0.85, 1.0);
    ElboAxis one = ElboAxis.near(List.of(Curve.validation(List.of(epoch(1, 0, -100, 0)))));
    assertThat(one.position(-100)).isBetween(0.4, 1.0);
  }
}
