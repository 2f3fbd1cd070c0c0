package cifvi.tensor;

import static cifvi.testing.TensorAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import cifvi.tensor.CounterRng.Purpose;
import cifvi.testing.NativeScope;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Noise is a pure function of its address, whatever the chunks, and has the right distribution. */
@ExtendWith(NativeScope.class)
class CounterRngTest {
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final CounterRng RNG = new CounterRng(FLOAT64, 42, Purpose.SAMPLE);
  private static final int DRAWS = 100_000;

  /** A correct generator misses this many standard errors once in 1.7 million. */
  private static final double STANDARD_ERRORS = 5;

  /** Kolmogorov's √n D exceeds this once in 1500. */
  private static final double KOLMOGOROV = 2;

  @Test
  void oneAddressGivesTheSameNumbersAgain() {
    var other = new CounterRng(FLOAT64, 42, Purpose.SAMPLE).step(3).layer(2).fromRow(5);
    var same = RNG.fromRow(5).layer(2).step(3);
    assertThat(same.normals(10, 3)).containsExactly(other.normals(10, 3));
    assertThat(same.normals(10, 3)).containsExactly(same.normals(10, 3));
    assertThat(same.uniforms(10, 3)).containsExactly(other.uniforms(10, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void chunksAreRowsOfOneStream(int columns) {
    double[] normals = RNG.normals(40, columns);
    double[] uniforms = RNG.uniforms(40, columns);
    for (int from = 0; from < 40; from += 7) {
      int rows = Math.min(7, 40 - from);
      CounterRng chunk = RNG.fromRow(from);
      int first = from * columns;
      int last = first + rows * columns;
      assertThat(chunk.normals(rows, columns))
          .containsExactly(Arrays.copyOfRange(normals, first, last));
      assertThat(chunk.uniforms(rows, columns))
          .containsExactly(Arrays.copyOfRange(uniforms, first, last));
    }
  }

  @Test
  void rowsBeyondTheFirstBlockWordAreNew() {
    // element 2^34 is block 2^32, the first whose number needs a second word
    long row = 1L << 34;
    assertThat(RNG.fromRow(row).uniforms(8, 1)).doesNotContain(RNG.uniforms(8, 1));
    assertThat(RNG.fromRow(row - 1).uniforms(2, 1)[1])
        .isEqualTo(RNG.fromRow(row).uniforms(1, 1)[0]);
  }

  @ParameterizedTest
  @EnumSource
  void tensorsHoldTheNumbersInRowMajorOrder(Precision precision) {
    var rng = new CounterRng(Backend.cpu(precision), 42, Purpose.SAMPLE);
    assertThat(rng.normal(5, 3)).hasShape(5, 3).hasPrecision(precision);
    assertThat(rng.normal(5, 3)).isExactly(rng.backend().tensor(RNG.normals(5, 3), 5, 3));
    assertThat(rng.uniform(5, 3)).isExactly(rng.backend().tensor(RNG.uniforms(5, 3), 5, 3));
    assertThat(rng.normal(0, 3)).hasShape(0, 3);
  }

  @Test
  void singlePrecisionIsRoundedDoublePrecision() {
    var single = new CounterRng(Backend.cpu(Precision.FLOAT32), 42, Purpose.SAMPLE);
    double[] rounded = Arrays.stream(RNG.normals(100, 3)).map(v -> (float) v).toArray();
    assertThat(Backend.doubles(single.normal(100, 3))).containsExactly(rounded);
  }

  @Test
  void normalsHaveTheMomentsOfTheStandardNormal() {
    double[] e = RNG.normals(DRAWS, 1);
    assertMean(e, v -> v, 0, 1);
    assertMean(e, v -> v * v, 1, 2);
    assertMean(e, v -> v * v * v, 0, 15);
    assertMean(e, v -> v * v * v * v, 3, 96);
  }

  @Test
  void uniformsHaveTheMomentsOfTheUnitInterval() {
    double[] u = RNG.uniforms(DRAWS, 1);
    assertThat(Arrays.stream(u)).allMatch(v -> v > 0 && v < 1);
    assertMean(u, v -> v, 0.5, 1 / 12.0);
    assertMean(u, v -> v * v, 1 / 3.0, 4 / 45.0);
  }

  private static void assertMean(
      double[] draws, DoubleUnaryOperator f, double mean, double variance) {
    double average = Arrays.stream(draws).map(f).average().orElseThrow();
    double standardError = Math.sqrt(variance / draws.length);
    assertThat(average).isCloseTo(mean, within(STANDARD_ERRORS * standardError));
  }

  @Test
  void uniformsAreUniformByKolmogorovAndSmirnov() {
    assertThat(distance(RNG.uniforms(DRAWS, 1))).isLessThan(KOLMOGOROV / Math.sqrt(DRAWS));
  }

  @Test
  void normalsAreNormalByKolmogorovAndSmirnov() {
    double[] levels = Backend.doubles(torch.special_ndtr(RNG.normal(DRAWS, 1)));
    assertThat(distance(levels)).isLessThan(KOLMOGOROV / Math.sqrt(DRAWS));
  }

  /** Largest difference between the empirical distribution function and that of U(0, 1). */
  private static double distance(double[] draws) {
    double[] sorted = Arrays.stream(draws).sorted().toArray();
    double distance = 0;
    for (int i = 0; i < sorted.length; i++) {
      double above = (i + 1.0) / sorted.length - sorted[i];
      double below = sorted[i] - (double) i / sorted.length;
      distance = Math.max(distance, Math.max(above, below));
    }
    return distance;
  }

  @Test
  void purposesHaveCodesOfTheirOwn() {
    Set<Double> first = new HashSet<>();
    for (Purpose purpose : Purpose.values()) {
      first.add(new CounterRng(FLOAT64, 1, purpose).uniforms(1, 1)[0]);
    }
    assertThat(first).hasSameSizeAs(Purpose.values());
  }

  @Test
  void whatIsNoAddressIsRefused() {
    assertRefused("row: expected a number from 0 on, got -1", () -> RNG.fromRow(-1));
    assertRefused("step: expected 0 to 2^32-1, got -1", () -> RNG.step(-1));
    assertRefused("step: expected 0 to 2^32-1, got 4294967296", () -> RNG.step(1L << 32));
    assertRefused("layer: expected 0 to 2^24-2, got -1", () -> RNG.layer(-1));
    assertRefused("layer: expected 0 to 2^24-2, got 16777215", () -> RNG.layer((1 << 24) - 1));
    assertRefused("rows: expected a number from 0 on, got -3", () -> RNG.normals(-3, 2));
    assertRefused("columns: expected a number from 0 on, got -2", () -> RNG.uniform(3, -2));
  }

  private static void assertRefused(String message, Runnable action) {
    assertThatIllegalArgumentException().isThrownBy(action::run).withMessage(message);
  }
}
