package cifvi.engine.fused;

import static cifvi.engine.fused.Three.FLOAT32;
import static cifvi.engine.fused.Three.FLOAT64;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.fused.FusedModels.Case;
import cifvi.engine.fused.FusedModels.Shape;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import java.util.Arrays;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same rule as {@link GradientParityTest}'s for what evaluations read: z and log-weights. */
@ExtendWith(NativeScope.class)
class LogWeightParityTest {
  private static final double ULP = 0x1p-23;

  /** Draws, their log-weights, and the log-weights of paths back from them. */
  @ParameterizedTest
  @MethodSource(FusedCases.ALL)
  void logWeights(Case shape, int samples, int threads) {
    int rows = samples + (shape instanceof Shape ? 500 : 0); // enough rows for a mean
    try (var models = Three.of(shape, FLOAT32, 5);
        var training = FusedTraining.of(models, shape)) {
      assertSameLogWeights(shape, models, rows, threads);
      training.run(0, 40);
      assertSameLogWeights(shape, models, rows, threads);
    }
  }

  private static void assertSameLogWeights(Case shape, Three models, int rows, int threads) {
    try (var fused = new FusedLogWeights(models.own(), threads)) {
      var x = shape.x(FLOAT32, rows);
      var x64 = shape.x(FLOAT64, rows);
      var exact = LogWeights.eager(models.eager64()).draw(x64, 3, rng(FLOAT64));
      var rounded = LogWeights.eager(models.eager32()).draw(x, 3, rng(FLOAT32));
      var draws = fused.draw(x, 3, rng(FLOAT32));
      assertAsExact(draws.z(), rounded.z(), exact.z());
      assertAsExact(draws.delta(), rounded.delta(), exact.delta());
      assertAsExact(draws.logJoint(), rounded.logJoint(), exact.logJoint());
      double[] z = LogWeights.eager(models.eager32()).draw(x, 1, rng(FLOAT32)).z();
      assertAsExact(
          fused.backward(z, x, 3, rng(FLOAT32)),
          LogWeights.eager(models.eager32()).backward(z, x, 3, rng(FLOAT32)),
          LogWeights.eager(models.eager64()).backward(z, x64, 3, rng(FLOAT64)));
    }
  }

  private static CounterRng rng(Backend backend) {
    return new CounterRng(backend, FusedTraining.SEED, Purpose.EVALUATE).step(4).fromRow(13);
  }

  /** By the geometric mean over all numbers; the floor is the last place of the largest. */
  private static void assertAsExact(double[] fused, double[] rounded, double[] exact) {
    double floor = ULP * Arrays.stream(exact).map(Math::abs).max().orElseThrow();
    double logs = 0;
    for (int i = 0; i < exact.length; i++) {
      logs += Score.of(Math.abs(fused[i] - exact[i]), Math.abs(rounded[i] - exact[i]), floor);
    }
    assertThat(logs).isLessThanOrEqualTo(0);
  }
}
