package cifvi.engine.graph;

import static cifvi.engine.fused.Three.FLOAT32;
import static cifvi.engine.fused.Three.FLOAT64;
import static cifvi.engine.graph.DeviceCases.FLOOR;
import static cifvi.engine.graph.DeviceCases.error;
import static cifvi.engine.graph.DeviceCases.rng;
import static cifvi.engine.graph.DeviceCases.train;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.fused.FusedModels.Case;
import cifvi.engine.fused.Three;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same rule as {@link DeviceGradientTest}'s for what evaluations read: z and log-weights. */
@ExtendWith(NativeScope.class)
class DeviceLogWeightTest {
  /** Rounding of fewer rows than that is a matter of luck: they are drawn more than once. */
  private static final int LEAST_ROWS = 10;

  /** Draws and their log-weights, from an evaluation and from a step. */
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
    assertLogWeights(shape, rows, cuda, Cuda.launcher(cuda, ProgramSource.text()));
  }

  private static void assertLogWeights(Case shape, int rows, Backend backend, Launcher launcher) {
    try (var models = Three.of(shape, backend, 5);
        var _ = new PointerScope()) {
      train(models, shape);
      var x = shape.x(backend, rows);
      var z = new Errors();
      var deltas = new Errors();
      var joints = new Errors();
      try (var program = DeviceProgram.evaluating(models.own(), launcher, rows);
          var _ = new NoGradGuard()) {
        for (int i = 0; i < Math.ceilDiv(LEAST_ROWS, rows); i++) {
          var exact = draw(models.eager64(), shape.x(FLOAT64, rows), rng(FLOAT64, i));
          var rounded = draw(models.eager32(), shape.x(FLOAT32, rows), rng(FLOAT32, i));
          program.forward(x, Noise.of(rng(backend, i)));
          double[] joint = Backend.doubles(program.logJoint());
          double[] delta = Backend.doubles(program.logWeight());
          Arrays.setAll(delta, j -> delta[j] - joint[j]);
          z.add(Backend.doubles(program.z()), rounded.z(), exact.z());
          deltas.add(delta, rounded.delta(), exact.delta());
          joints.add(joint, rounded.logJoint(), exact.logJoint());
        }
      }
      z.assertAsExact();
      deltas.assertAsExact();
      joints.assertAsExact();
      try (var program =
          DeviceProgram.learning(models.own(), launcher, rows, new Objective.Elbo())) {
        program.step(x, Noise.of(rng(backend, 0)));
        double mean = Arrays.stream(Backend.doubles(program.logWeight())).average().orElseThrow();
        assertThat(Backend.doubles(program.objective())[0])
            .isCloseTo(mean, within(1e-12 * Math.abs(mean)));
      }
    }
  }

  private static LogWeights.Draws draw(Model model, Observation x, CounterRng rng) {
    return LogWeights.eager(model).draw(x, 1, rng);
  }

  /** Of some numbers: how far kernels and eager float32 are off. */
  private static final class Errors {
    private double device;
    private double rounded;
    private double size;

    void add(double[] device, double[] rounded, double[] exact) {
      this.device = Math.hypot(this.device, error(device, exact, 0, exact.length));
      this.rounded = Math.hypot(this.rounded, error(rounded, exact, 0, exact.length));
      size = Math.max(size, Arrays.stream(exact).map(Math::abs).max().orElseThrow());
    }

    void assertAsExact() {
      assertThat(device).isLessThanOrEqualTo(2 * rounded + FLOOR * size);
    }
  }
}
