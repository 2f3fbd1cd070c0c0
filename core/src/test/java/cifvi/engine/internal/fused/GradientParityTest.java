package cifvi.engine.internal.fused;

import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.parity.Conditioning;
import cifvi.engine.internal.parity.Twins;
import cifvi.testing.NativeScope;
import cifvi.vi.Objective;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gradients by the fused engine are as exact as float32 allows, in the measure of {@link
 * Conditioning}: every tensor, at initialisation and on a trained model.
 */
@Tag("parity")
@ExtendWith(NativeScope.class)
class GradientParityTest {
  private static final Objective ELBO = new Objective.Elbo();
  private static final int STEPS = 40;

  @ParameterizedTest
  @MethodSource(FusedCases.ALL)
  void gradientsAtInitialisation(Case shape, int samples, int threads) {
    assertExact(shape, ELBO, 0, samples, threads);
  }

  @ParameterizedTest
  @MethodSource(FusedCases.ALL)
  void gradientsOfATrainedModel(Case shape, int samples, int threads) {
    assertExact(shape, ELBO, STEPS, samples, threads);
  }

  static Stream<Arguments> importanceWeightedCases() {
    return Stream.of(
        Arguments.of(Shape.mog(true, 9), 61, 2),
        Arguments.of(new Affine(5, 20, true), 33, 3),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), 33, 2),
        Arguments.of(new ImageShape(Flow.SPLINE, false, 3, 0, 1, 4), 61, 2));
  }

  /** Five draws for every row of x, which one block need not hold together. */
  @ParameterizedTest
  @MethodSource("importanceWeightedCases")
  void importanceWeightedGradients(Case shape, int samples, int threads) {
    assertExact(shape, new Objective.Iwae(5), STEPS, samples, threads);
  }

  private static void assertExact(
      Case shape, Objective objective, int steps, int samples, int threads) {
    try (var twins = Twins.trained(shape, FLOAT32, steps)) {
      var exact = FusedGradients.of(twins, shape, objective, samples);
      assertThat(exact.scores(threads, UnaryOperator.identity()))
          .allSatisfy((_, score) -> assertThat(score).isLessThanOrEqualTo(1));
    }
  }
}
