package cifvi.engine.internal.graph;

import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.fused.LargeDecoderShape;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.engine.internal.parity.Conditioning;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Objective;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gradients by CUDA kernels, on the processor or a device, are as exact as float32 allows, in the
 * measure of {@link Conditioning}: every tensor of a trained model.
 */
@Tag("parity")
@ExtendWith(NativeScope.class)
class DeviceGradientTest {
  @ParameterizedTest
  @MethodSource(DeviceCases.ALL)
  void gradients(Case shape, int rows) {
    assertGradients(shape, new Objective.Elbo(), rows, FLOAT32, DeviceCases.host(rows));
  }

  /** Images share blocks of threads where a block has no room for one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void gradientsOfALargeDecoderAsOnASmallDevice(int multiplier) {
    var launcher = DeviceCases.host(9).on(Devices.ORIN_NANO);
    assertGradients(LargeDecoderShape.vae(multiplier), new Objective.Elbo(), 9, FLOAT32, launcher);
  }

  static Stream<Arguments> importanceWeighted() {
    return Stream.of(
        Arguments.of(new ImageShape(Flow.SPLINE, false, 20, 0, 1, 32), 5, 20),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), 3, 7),
        Arguments.of(LargeDecoderShape.vae(2), 3, 2),
        Arguments.of(LargeDecoderShape.of(true, 1), 2, 2),
        Arguments.of(LargeDecoderShape.vae(8), 2, 2), // a block an image
        Arguments.of(Shape.mog(true, 9), 10, 100));
  }

  @ParameterizedTest
  @MethodSource("importanceWeighted")
  void gradientsOfTheImportanceWeightedBound(Case shape, int draws, int rows) {
    assertGradients(
        shape, new Objective.Iwae(draws), rows, FLOAT32, DeviceCases.host(draws * rows));
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource("importanceWeighted")
  void gradientsOfTheImportanceWeightedBoundOnADevice(Case shape, int draws, int rows) {
    var cuda = Backend.of("cuda", Precision.FLOAT32);
    var launcher = Cuda.launcher(cuda, KernelSource.passes());
    assertGradients(shape, new Objective.Iwae(draws), rows, cuda, launcher);
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource(DeviceCases.ALL)
  void gradientsOnADevice(Case shape, int rows) {
    var cuda = Backend.of("cuda", Precision.FLOAT32);
    var launcher = Cuda.launcher(cuda, KernelSource.passes());
    assertGradients(shape, new Objective.Elbo(), rows, cuda, launcher);
  }

  private static void assertGradients(
      Case shape, Objective objective, int rows, Backend backend, Launcher launcher) {
    try (var twins = Twins.trained(shape, backend, DeviceCases.STEPS)) {
      var scores = DeviceGradients.of(twins, shape, objective, rows).scores(launcher);
      assertThat(scores).allSatisfy((_, score) -> assertThat(score).isLessThanOrEqualTo(1));
    }
  }
}
