package cifvi.engine.internal.graph;

import static cifvi.engine.internal.graph.DeviceGradients.step;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.fused.LargeDecoderShape;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Objective;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** In how many launches a step runs. */
@ExtendWith(NativeScope.class)
class LaunchCountTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Objective ELBO = new Objective.Elbo();

  @Test
  void aMixtureStepIsThreeLaunches() {
    assertThat(launches(Shape.mog(true, 9), ELBO, 7))
        .isEqualTo(Map.of("prepare", 1, "interpret", 1, "weight_gradients", 1));
  }

  @Test
  void importanceWeightsAreOneMore() {
    assertThat(launches(Shape.mog(true, 9), new Objective.Iwae(3), 7))
        .isEqualTo(
            Map.of("prepare", 1, "interpret", 1, "importance_weights", 1, "weight_gradients", 1));
  }

  /** Few tiles and many rows: the rows are cut, and the parts added in a launch of their own. */
  @Test
  void manyRowsAreOneMore() {
    assertThat(launches(Shape.mog(true, 9), ELBO, 300))
        .isEqualTo(
            Map.of("prepare", 1, "interpret", 1, "weight_gradients", 1, "add_weight_parts", 1));
  }

  /**
   * The r of all layers and the decoder are one of them; without r, one is forward and backward.
   */
  @Test
  void anImageStepIsAFewLaunches() {
    assertThat(launches(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), ELBO, 7))
        .isEqualTo(
            Map.of(
                "prepare", 1,
                "interpret_forward", 1,
                "interpret", 2,
                "interpret_backward", 1,
                "weight_gradients", 1));
    assertThat(launches(new ImageShape(Flow.SPLINE, false, 3, 2, 7, 4), ELBO, 7))
        .isEqualTo(Map.of("prepare", 1, "interpret", 1, "weight_gradients", 1));
  }

  /**
   * The decoder is one launch forward and one back; the gradients of all convolutions are one, and
   * one that adds parts up.
   */
  @Test
  void aLargeDecoderIsAFewLaunchesMore() {
    assertThat(launches(LargeDecoderShape.of(true, 8), ELBO, 2))
        .isEqualTo(
            Map.ofEntries(
                entry("prepare", 1),
                entry("interpret_forward", 1),
                entry("interpret", 2),
                entry("interpret_backward", 1),
                entry("prepare_image_convolutions", 1),
                entry("decode_images", 1),
                entry("decode_images_back", 1),
                entry("bernoulli_images", 1),
                entry("bernoulli_gradients", 1),
                entry("convolution_gradients", 1),
                entry("add_convolution_parts", 1),
                entry("weight_gradients", 1)));
  }

  /** Where a block has no room for an image, images share blocks: a launch a convolution. */
  @Test
  void aLargeDecoderOnASmallDeviceIsALaunchAConvolution() {
    var counted = HostKernels.program().with(1, false).on(Devices.ORIN_NANO);
    assertThat(launches(LargeDecoderShape.vae(1), ELBO, 9, counted))
        .containsEntry("convolve_planes", 2 * 6 + 2 * 6)
        .doesNotContainKeys("decode_images", "decode_images_back");
  }

  /** One more of the program in either direction, whose last block looks at the whole batch. */
  @Test
  void aBatchNormIsTwoMoreLaunches() {
    assertThat(launches(new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 5, 5, 20, 8), ELBO, 7))
        .isEqualTo(
            Map.of(
                "prepare", 1,
                "interpret_forward", 5,
                "interpret", 1,
                "interpret_backward", 5,
                "weight_gradients", 1));
  }

  /** How often a step starts each kernel. */
  private static Map<String, Integer> launches(Case shape, Objective objective, int rows) {
    return launches(shape, objective, rows, HostKernels.program().with(1, false));
  }

  private static Map<String, Integer> launches(
      Case shape, Objective objective, int rows, HostLauncher counted) {
    try (var model = shape.build(FLOAT32)) {
      step(model, objective, 0, shape.x(FLOAT32, rows), counted);
      return counted.launches();
    }
  }
}
