package cifvi.engine.internal.parity;

import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static cifvi.engine.internal.parity.Twins.FLOAT64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.OneLayer;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.testing.NativeScope;
import cifvi.vi.Objective;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is rounded once passes, what is wrong by one part in 10⁵ or no number does not. */
@Tag("parity")
@ExtendWith(NativeScope.class)
class ConditioningTest {
  private static final Computation STEP =
      Gradients.eager(new Objective.Elbo(), Observation.none(17));
  private static final CounterRng NOISE = new CounterRng(FLOAT64, 1, Purpose.TRAIN);

  private final Twins twins = Twins.of(new OneLayer(OneLayer.Kind.AFFINE, 0.5), FLOAT32, 5);
  private final Conditioning conditioning = new Conditioning();

  @BeforeEach
  void measure() {
    conditioning.add(twins.exact(), NOISE, STEP);
  }

  @AfterEach
  void close() {
    twins.close();
  }

  private SequencedMap<String, Double> scores(DoubleUnaryOperator error) {
    return scores(error, _ -> false);
  }

  private SequencedMap<String, Double> scores(
      DoubleUnaryOperator error, Predicate<String> libtorchs) {
    SequencedMap<String, double[]> actual = new LinkedHashMap<>();
    STEP.of(twins.exact(), NOISE)
        .forEach((name, x) -> actual.put(name, Arrays.stream(x).map(error).toArray()));
    return conditioning.scores(List.of(actual), libtorchs);
  }

  @Test
  void exactResultsScoreZero() {
    assertThat(scores(x -> x)).allSatisfy((_, score) -> assertThat(score).isZero());
  }

  @Test
  void resultsRoundedOnceScoreLittle() {
    assertThat(scores(x -> (float) x))
        .allSatisfy((_, score) -> assertThat(score).isBetween(0.0, 0.2));
  }

  @Test
  void onePartIn100000IsTooMuch() {
    assertThat(scores(x -> x * (1 + 1e-5)).get("objective")).isGreaterThan(1);
    assertThat(scores(x -> x * (1 + 1e-5)).get("base.log_stddev")).isGreaterThan(1);
  }

  @Test
  void whatIsNoNumberNeverPasses() {
    assertThat(scores(_ -> Double.NaN)).allSatisfy((_, score) -> assertThat(score).isNaN());
  }

  @Test
  void whatLibtorchSummedMayBeFurtherOff() {
    DoubleUnaryOperator error = x -> x * (1 + 1.9e-5);
    assertThat(scores(error).values()).anyMatch(score -> score > 1);
    assertThat(scores(error, _ -> true).values())
        .allSatisfy(score -> assertThat(score).isLessThan(1));
    assertThat(scores(x -> x * (1 + 1e-3), _ -> true).values())
        .allSatisfy(score -> assertThat(score).isGreaterThan(1));
  }

  @Test
  void nothingMayBeMissing() {
    assertThatNullPointerException()
        .isThrownBy(() -> conditioning.scores(List.of(Map.of()), _ -> false));
  }

  /** The measure is the same every time, and the model is left as it was. */
  @Test
  void measuresTheModelAndLeavesIt() {
    double[] before = Backend.doubles(twins.exact().parameters().flat().values());
    var again = new Conditioning();
    again.add(twins.exact(), NOISE, STEP);
    assertThat(Backend.doubles(twins.exact().parameters().flat().values())).isEqualTo(before);
    var rounded =
        new LinkedHashMap<>(STEP.of(twins.own(), new CounterRng(FLOAT32, 1, Purpose.TRAIN)));
    assertThat(again.scores(List.of(rounded), _ -> false))
        .isEqualTo(conditioning.scores(List.of(rounded), _ -> false));
  }
}
