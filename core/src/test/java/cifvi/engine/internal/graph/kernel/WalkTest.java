package cifvi.engine.internal.graph.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.LargeDecoderShape;
import cifvi.engine.internal.graph.program.DeviceCompiler;
import cifvi.engine.internal.graph.program.OpKind;
import cifvi.engine.internal.graph.program.Program;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Objective;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What each kernel of the interpreter is compiled for; that it is enough, DevicePassTest says. */
@ExtendWith(NativeScope.class)
class WalkTest {
  /** One launch is forward and back at once, evaluations go forward. */
  @Test
  void aMixtureNeverGoesBackAlone() {
    with(
        Shape.mog(true, 9),
        program -> {
          assertThat(Walk.BACKWARD.meets(program)).isEmpty();
          assertThat(Walk.BOTH.meets(program))
              .contains(OpKind.LINEAR, OpKind.SPLINE, OpKind.AUXILIARY, OpKind.MIXTURE)
              .isEqualTo(Walk.FORWARD.meets(program))
              .doesNotContain(OpKind.CONVOLUTION);
          assertThat(KernelSource.passes(program)).hasSize(3);
        });
  }

  /** The flow goes forward and back alone, the r and the sum behind it at once. */
  @Test
  void partsOfAnImageModelAreCompiledApart() {
    with(
        LargeDecoderShape.of(true, 1),
        program -> {
          assertThat(Walk.BOTH.meets(program))
              .contains(OpKind.AUXILIARY, OpKind.UPSAMPLE, OpKind.TERM)
              .doesNotContain(OpKind.MASKED_AFFINE, OpKind.DRAW);
          assertThat(Walk.BACKWARD.meets(program))
              .contains(OpKind.MASKED_AFFINE, OpKind.DRAW)
              .doesNotContain(OpKind.AUXILIARY, OpKind.UPSAMPLE, OpKind.TERM);
          assertThat(Walk.FORWARD.meets(program))
              .containsAll(Walk.BOTH.meets(program))
              .containsAll(Walk.BACKWARD.meets(program));
          assertThat(KernelSource.passes(program)).hasSize(9);
        });
  }

  private static void with(Case shape, Consumer<Program> check) {
    try (var model = shape.build(Backend.cpu(Precision.FLOAT32))) {
      var plan = DeviceCompiler.plan(model, new Objective.Elbo());
      check.accept(DeviceCompiler.compile(plan, true));
    }
  }
}
