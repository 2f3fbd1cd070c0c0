package cifvi.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Importance weights are judged as R's loo judges them. */
class ImportanceWeightsTest {
  static List<double[]> cases() throws IOException {
    var file = ImportanceWeightsTest.class.getResourceAsStream("khat.txt");
    try (var lines =
        new BufferedReader(
            new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray())
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void kHatIsThatOfLoo(double[] numbers) {
    double[] logWeights = Arrays.copyOfRange(numbers, 1, numbers.length);
    assertThat(new ImportanceWeights(logWeights).kHat()).isCloseTo(numbers[0], within(1e-6));
    double[] scaled = Arrays.stream(logWeights).map(w -> w - 2000).toArray();
    assertThat(new ImportanceWeights(scaled).kHat()).isCloseTo(numbers[0], within(1e-6));
  }

  @Test
  void theThresholdGrowsWithTheDraws() {
    assertThat(new ImportanceWeights(new double[100]).kHatThreshold())
        .isCloseTo(0.5, within(1e-12));
    assertThat(new ImportanceWeights(new double[4000]).kHatThreshold()).isEqualTo(0.7);
  }

  /** 1 + ε U^-k: a heavy tail of differences that do not matter. */
  @Test
  void ofWeightsThatAreEvenKHatDoesNotMatter() {
    var random = new SplittableRandom(1);
    double[] tail =
        IntStream.range(0, 4000).mapToDouble(_ -> Math.pow(random.nextDouble(), -1.5)).toArray();
    double most = Arrays.stream(tail).max().orElseThrow();
    var even =
        new ImportanceWeights(Arrays.stream(tail).map(t -> Math.log1p(t / most / 4)).toArray());
    assertThat(even.kHat()).isGreaterThan(1);
    assertThat(even.reliable()).isTrue();
    var uneven =
        new ImportanceWeights(Arrays.stream(tail).map(t -> Math.log1p(t * 4 / most)).toArray());
    assertThat(uneven.kHat()).isGreaterThan(1);
    assertThat(uneven.reliable()).isFalse();
  }

  /** (U/a)^-k has a Pareto tail of shape k. */
  @ParameterizedTest
  @org.junit.jupiter.params.provider.ValueSource(doubles = {0.2, 0.5, 0.9})
  void aParetoTailIsFound(double k) {
    var random = new SplittableRandom(1);
    double[] logWeights =
        IntStream.range(0, 20_000).mapToDouble(_ -> -k * Math.log(random.nextDouble())).toArray();
    assertThat(new ImportanceWeights(logWeights).kHat()).isCloseTo(k, within(0.15));
  }

  @Test
  void equalWeightsAreReliable() {
    var weights = new ImportanceWeights(new double[1000]);
    assertThat(weights.kHat()).isZero();
    assertThat(weights.reliable()).isTrue();
    assertThat(weights.effectiveSampleSize()).isCloseTo(1000, within(1e-9));
    assertThat(weights.normalised()).containsOnly(0.001);
  }

  @Test
  void tooFewOrNoWeightsAreNot() {
    double[] none = new double[1000];
    Arrays.fill(none, Double.NEGATIVE_INFINITY);
    assertThat(new ImportanceWeights(none).reliable()).isFalse();
    assertThat(new ImportanceWeights(new double[] {0, 1, 2}).reliable()).isFalse();
    none[3] = 0; // all the weight on one draw
    assertThat(new ImportanceWeights(none).effectiveSampleSize()).isEqualTo(1);
  }

  /** Weights of N(0, 1) over N(0.5, 1.2²): means of what is resampled are those of N(0, 1). */
  @Test
  void resampledDrawsAreDrawsOfP() {
    var random = new SplittableRandom(2);
    double[] x = IntStream.range(0, 40_000).mapToDouble(_ -> 0.5 + 1.2 * normal(random)).toArray();
    double[] logWeights =
        Arrays.stream(x)
            .map(v -> -0.5 * v * v + 0.5 * Math.pow((v - 0.5) / 1.2, 2) + Math.log(1.2))
            .toArray();
    var weights = new ImportanceWeights(logWeights);
    assertThat(weights.kHat()).isLessThan(0.3);
    assertThat(weights.logEvidence().mean()).isCloseTo(0, within(0.02));
    double[] kept = Arrays.stream(weights.resample(10_000, 3)).mapToDouble(i -> x[i]).toArray();
    double mean = Arrays.stream(kept).average().orElseThrow();
    double square = Arrays.stream(kept).map(v -> v * v).average().orElseThrow();
    assertThat(mean).isCloseTo(0, within(0.05));
    assertThat(square).isCloseTo(1, within(0.06));
    assertThat(weights.resample(10_000, 3)).isEqualTo(weights.resample(10_000, 3));
  }

  /** Quantiles of a Pareto distribution with k = 0.4, equal weights: the square has twice that. */
  @Test
  void aHeavyTailDecidesTheSd() {
    double[] x =
        IntStream.range(0, 4000).mapToDouble(i -> Math.pow((i + 0.5) / 4000, -0.4)).toArray();
    var weights = new ImportanceWeights(new double[4000]);
    assertThat(weights.kHat(x)).isCloseTo(0.4, within(0.2));
    assertThat(weights.kHatOfSquare(x)).isCloseTo(0.8, within(0.2));
  }

  private static double normal(SplittableRandom random) {
    return random.nextGaussian();
  }
}
