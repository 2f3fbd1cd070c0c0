package cifvi.engine.internal.graph;

import static cifvi.engine.internal.graph.DeviceCases.rng;
import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same rule as {@link DeviceGradientTest}'s for what evaluations read: z and log-weights. */
@Tag("parity")
@ExtendWith(NativeScope.class)
class DeviceLogWeightTest {
  @ParameterizedTest
  @MethodSource(DeviceCases.ALL)
  void logWeights(Case shape, int rows) {
    assertLogWeights(shape, rows, FLOAT32, DeviceCases.host(rows));
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource(DeviceCases.ALL)
  void logWeightsOnADevice(Case shape, int rows) {
    var cuda = Backend.of("cuda", Precision.FLOAT32);
    assertLogWeights(shape, rows, cuda, Cuda.launcher(cuda, KernelSource.passes()));
  }

  private static void assertLogWeights(Case shape, int rows, Backend backend, Launcher launcher) {
    try (var twins = Twins.trained(shape, backend, DeviceCases.STEPS)) {
      var scores = DeviceDraws.of(twins, shape, rows).scores(launcher);
      assertThat(scores).allSatisfy((_, score) -> assertThat(score).isLessThanOrEqualTo(1));
      assertMean(twins.own(), shape, rows, launcher);
    }
  }

  /** The objective of a step is the mean of its log-weights. */
  private static void assertMean(Model model, Case shape, int rows, Launcher launcher) {
    var backend = model.parameters().backend();
    try (var _ = new PointerScope();
        var pass = DevicePass.training(model, launcher, rows, new Objective.Elbo())) {
      pass.step(shape.x(backend, rows), rng(backend, 0));
      double mean = Arrays.stream(Backend.doubles(pass.logWeight())).average().orElseThrow();
      assertThat(Backend.doubles(pass.objective())[0])
          .isCloseTo(mean, within(1e-12 * Math.abs(mean)));
    }
  }
}
