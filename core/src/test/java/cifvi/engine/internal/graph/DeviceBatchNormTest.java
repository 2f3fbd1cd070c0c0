package cifvi.engine.internal.graph;

import static cifvi.engine.internal.graph.DeviceCases.CIF_AND_BATCH_NORM;
import static cifvi.engine.internal.graph.DeviceCases.rng;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the last block of a launch does for batch norms, and what the end of a step does. */
@ExtendWith(NativeScope.class)
class DeviceBatchNormTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final long SEED = 3;
  private static final Objective ELBO = new Objective.Elbo();

  /** Whoever counts blocks begins anew with every launch, as the replay of a graph needs it. */
  @ParameterizedTest
  @MethodSource("batchNorms")
  void aPassIsAsNewAfterAStep(Case shape) {
    var launcher = HostKernels.program().with(32, false);
    try (var model = shape.build(FLOAT32);
        var used = DevicePass.training(model, launcher, 7, ELBO);
        var unused = DevicePass.training(model, launcher, 7, ELBO);
        var _ = new NoGradGuard()) {
      var x = shape.x(FLOAT32, 7);
      used.step(x, rng(FLOAT32, 0));
      double[] second = gradient(model, used, x);
      assertThat(gradient(model, unused, x)).containsExactly(second);
    }
  }

  private static double[] gradient(Model model, DevicePass pass, Observation x) {
    Tensor gradient = model.parameters().flat().gradient().zero_();
    pass.step(x, rng(FLOAT32, 1));
    return Backend.doubles(gradient);
  }

  static Stream<Case> batchNorms() {
    return Stream.of(
        new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 5, 2, 20, 8), CIF_AND_BATCH_NORM);
  }

  /** The kernel's, closer than one part in 10⁵; evaluations have them in place of a batch's. */
  @ParameterizedTest
  @MethodSource("batchNorms")
  void runningAveragesAreThoseOfEagerSteps(Case shape) {
    var options = new StepOptions(OptionalDouble.empty(), SEED, 1);
    try (var twins = Twins.of(shape, FLOAT32, 5);
        var engine =
            new GraphEngine(
                twins.own(),
                options,
                new KernelBody(twins.own(), ELBO, HostKernels.program().with(32, false)),
                HostKernels.of(Precision.FLOAT32),
                HostRecording::of);
        var eager = EagerEngine.seeded(twins.exact(), ELBO, options)) {
      for (int i = 0; i < 6; i++) {
        int rows = i % 3 == 2 ? 7 : 12;
        var _ = eager.step(i, 0, shape.x(FLOAT64, rows));
        var _ = engine.step(i, 0, shape.x(FLOAT32, rows));
      }
      var expected = twins.exact().parameters().buffers();
      for (var own : twins.own().parameters().buffers().entrySet()) {
        double[] exact = Backend.doubles(Objects.requireNonNull(expected.get(own.getKey())));
        assertThat(Backend.doubles(own.getValue()))
            .as(own.getKey())
            .containsExactly(exact, within(1e-6));
      }
    }
  }
}
