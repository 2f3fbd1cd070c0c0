package cifvi.engine.internal.fused;

import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.parity.Twins;
import cifvi.testing.NativeScope;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same rule as {@link GradientParityTest}'s for what evaluations read: z and log-weights. */
@Tag("parity")
@ExtendWith(NativeScope.class)
class LogWeightParityTest {
  @ParameterizedTest
  @MethodSource(FusedCases.ALL)
  void logWeightsAtInitialisation(Case shape, int samples, int threads) {
    assertExact(shape, 0, samples, threads);
  }

  @ParameterizedTest
  @MethodSource(FusedCases.ALL)
  void logWeightsOfATrainedModel(Case shape, int samples, int threads) {
    assertExact(shape, 40, samples, threads);
  }

  private static void assertExact(Case shape, int steps, int samples, int threads) {
    try (var twins = Twins.trained(shape, FLOAT32, steps)) {
      assertThat(FusedDraws.of(twins, shape, samples).scores(threads, UnaryOperator.identity()))
          .allSatisfy((_, score) -> assertThat(score).isLessThanOrEqualTo(1));
    }
  }
}
