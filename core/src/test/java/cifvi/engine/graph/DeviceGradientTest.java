package cifvi.engine.graph;

import static cifvi.engine.fused.Three.FLOAT32;
import static cifvi.engine.fused.Three.FLOAT64;
import static cifvi.engine.graph.DeviceCases.FLOOR;
import static cifvi.engine.graph.DeviceCases.SEED;
import static cifvi.engine.graph.DeviceCases.error;
import static cifvi.engine.graph.DeviceCases.train;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.engine.EagerEngine;
import cifvi.engine.fused.FusedModels.Case;
import cifvi.engine.fused.FusedModels.Shape;
import cifvi.engine.fused.ImageShape;
import cifvi.engine.fused.ImageShape.Flow;
import cifvi.engine.fused.Three;
import cifvi.nn.FlatParameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * CUDA kernels, run on the processor, are as exact as eager float32: their error against eager
 * float64 is at most twice that of eager float32, plus 10⁻⁶ of the norm of the whole gradient, for
 * every tensor.
 */
@ExtendWith(NativeScope.class)
class DeviceGradientTest {
  private static final long STEPS = 3;

  @ParameterizedTest
  @MethodSource(DeviceCases.ALL)
  void gradients(Case shape, int rows) {
    assertGradients(shape, new Objective.Elbo(), rows, FLOAT32, DeviceCases.host(rows));
  }

  static Stream<Arguments> importanceWeighted() {
    return Stream.of(
        Arguments.of(new ImageShape(Flow.SPLINE, false, 20, 0, 1, 32), 5, 20),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), 3, 7),
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
    var launcher = Cuda.launcher(cuda, ProgramSource.text());
    assertGradients(shape, new Objective.Iwae(draws), rows, cuda, launcher);
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource(DeviceCases.ALL)
  void gradientsOnADevice(Case shape, int rows) {
    var cuda = Backend.of("cuda", Precision.FLOAT32);
    var launcher = Cuda.launcher(cuda, ProgramSource.text());
    assertGradients(shape, new Objective.Elbo(), rows, cuda, launcher);
  }

  private static void assertGradients(
      Case shape, Objective objective, int rows, Backend backend, Launcher launcher) {
    try (var models = Three.of(shape, backend, 5)) {
      train(models, shape);
      var slices = models.eager64().parameters().flat().slices();
      var rounded = new HashMap<String, Double>();
      var device = new HashMap<String, Double>();
      double norm = 0;
      for (long step = 0; step < STEPS; step++) {
        double[] exact = eager(models.eager64(), objective, step, shape.x(FLOAT64, rows));
        merge(
            rounded,
            slices,
            eager(models.eager32(), objective, step, shape.x(FLOAT32, rows)),
            exact);
        var x = shape.x(backend, rows);
        merge(device, slices, device(models.own(), objective, step, x, launcher), exact);
        norm = Math.max(norm, Math.sqrt(Arrays.stream(exact).map(g -> g * g).sum()));
      }
      double floor = FLOOR * norm;
      System.out.printf(
          "%s: gradient %.3g off of %.3g, eager float32 %.3g%n",
          shape, largest(device), norm, largest(rounded));
      rounded.forEach(
          (name, error) ->
              assertThat(device.get(name)).as(name).isLessThanOrEqualTo(2 * error + floor));
    }
  }

  private static double largest(Map<String, Double> errors) {
    return errors.values().stream().mapToDouble(e -> e).max().orElseThrow();
  }

  private static void merge(
      Map<String, Double> errors,
      Map<String, FlatParameters.Slice> slices,
      double[] actual,
      double[] exact) {
    slices.forEach(
        (name, slice) -> {
          int from = (int) slice.offset();
          double error = error(actual, exact, from, from + (int) slice.count());
          errors.merge(name, error / Math.sqrt(STEPS), Math::hypot);
        });
  }

  private static double[] eager(Model model, Objective objective, long step, Observation x) {
    try (var engine =
        EagerEngine.seeded(model, objective, new StepOptions(OptionalDouble.empty(), SEED, 1))) {
      engine.step(step, 0, x);
      return Backend.doubles(model.parameters().flat().gradient());
    }
  }

  /** The gradient of one step by kernels. */
  static double[] device(
      Model model, Objective objective, long step, Observation x, Launcher launcher) {
    var flat = model.parameters().flat();
    var backend = model.parameters().backend();
    var rng = new CounterRng(backend, SEED, Purpose.TRAIN).step(step);
    try (var program = DeviceProgram.learning(model, launcher, (int) x.rows(), objective);
        var _ = new PointerScope()) {
      flat.gradient().zero_();
      program.step(x, Noise.of(rng));
      return Backend.doubles(flat.gradient());
    }
  }
}
