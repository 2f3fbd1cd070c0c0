package cifvi.experiments.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.LogDensity.Calls;
import cifvi.experiments.files.UserException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What all densities that have a name have in common. */
class TargetsTest {
  private static final double STEP = 1e-5;

  static List<String> names() {
    return Targets.names();
  }

  static double[] point(SplittableRandom random, int dimensions) {
    double[] z = new double[dimensions];
    Arrays.setAll(z, _ -> 1.5 * random.nextGaussian());
    return z;
  }

  @ParameterizedTest
  @MethodSource("names")
  void theGradientIsThatOfTheValue(String name) {
    KnownDensity density = Targets.of(name);
    int d = density.dimensions();
    var random = new SplittableRandom(1);
    for (int n = 0; n < 20; n++) {
      double[] z = point(random, d);
      double[] gradient = new double[d];
      Arrays.fill(gradient, 77); // densities must not count on zeros
      density.at(z, gradient);
      for (int i = 0; i < d; i++) {
        double[] up = z.clone();
        double[] down = z.clone();
        up[i] += STEP;
        down[i] -= STEP;
        double rise = density.at(up, new double[d]) - density.at(down, new double[d]);
        double difference = rise / (2 * STEP);
        assertThat(gradient[i])
            .as("%s, coordinate %d of %s", name, i, Arrays.toString(z))
            .isCloseTo(difference, within(1e-4 * (1 + Math.abs(difference))));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void manyThreadsGetTheSameAnswers(String name) {
    KnownDensity density = Targets.of(name);
    assertThat(density.calls()).isEqualTo(Calls.PARALLEL);
    int d = density.dimensions();
    var random = new SplittableRandom(2);
    List<double[]> points = IntStream.range(0, 2000).mapToObj(_ -> point(random, d)).toList();
    double[] alone = points.stream().mapToDouble(z -> density.at(z, new double[d])).toArray();
    double[] together =
        points.parallelStream().mapToDouble(z -> density.at(z, new double[d])).toArray();
    assertThat(together).isEqualTo(alone);
  }

  @ParameterizedTest
  @MethodSource("names")
  void answersAreAboutColumnsThatThereAre(String name) {
    KnownDensity density = Targets.of(name);
    KnownAnswers known = density.known();
    assertThat(density.parameters().unconstrainedSize()).isEqualTo(density.dimensions());
    assertThat(density.parameters().names()).containsAll(known.moments().keySet());
    assertThat(density.description()).isNotBlank();
    double z = known.logZ().orElseThrow();
    known.meanFieldElbo().ifPresent(elbo -> assertThat(elbo).isLessThan(z));
    known.fullRankElbo().ifPresent(elbo -> assertThat(elbo).isLessThanOrEqualTo(z));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          funel         |    | no target is named "funel"; did you mean "funnel"?; there are funnel, banana
          nothing alike |    | no target is named "nothing alike"; there are funnel
          banana        | 3  | banana has 2 dimensions, not 3
          funnel        | 1  | funnel: expected at least 2 dimensions, got 1
          many-well     | 31 | many-well is made of pairs, expected an even number, got 31
          """)
  void whatThereIsNotIsRefused(String name, Integer dimensions, String message) {
    var asked = dimensions == null ? OptionalInt.empty() : OptionalInt.of(dimensions);
    assertThatThrownBy(() -> Targets.of(name, asked))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(message);
  }

  @Test
  void someHaveAnyNumberOfDimensions() {
    assertThat(Targets.of("gaussian", OptionalInt.of(1)).dimensions()).isEqualTo(1);
    assertThat(Targets.of("funnel", OptionalInt.of(3)).parameters().names())
        .containsExactly("v", "x.1", "x.2");
    assertThat(Targets.of("many-well").dimensions()).isEqualTo(32);
  }

  @Test
  void publishedNumbersAreFound() {
    assertThat(Targets.of("funnel").known().fullRankElbo()).hasValueCloseTo(-1.8628, within(5e-5));
    assertThat(Targets.of("funnel", OptionalInt.of(2)).known().meanFieldElbo())
        .hasValueCloseTo(-0.8524, within(5e-5));
    assertThat(Targets.of("many-well").known().logZ()).hasValueCloseTo(164.6957, within(5e-5));
    assertThat(Targets.of("brownian").known().logZ()).hasValueCloseTo(1.18775, within(5e-6));
  }
}
