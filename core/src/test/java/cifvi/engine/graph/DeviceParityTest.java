package cifvi.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.EagerEngine;
import cifvi.engine.fused.FusedModels.Affine;
import cifvi.engine.fused.FusedModels.Case;
import cifvi.engine.fused.FusedModels.Shape;
import cifvi.engine.fused.ImageShape;
import cifvi.engine.fused.ImageShape.Flow;
import cifvi.nn.FlatParameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.junit.jupiter.api.BeforeAll;
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
class DeviceParityTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final long SEED = 3;
  private static final long STEPS = 3;
  private static final double FLOOR = 1e-6;

  /** Rounding of fewer rows than that is a matter of luck: they are drawn more than once. */
  private static final int LEAST_ROWS = 10;

  /** Batch norm inside G: what q drew before it is needed behind it. */
  static final Case CIF_AND_BATCH_NORM =
      new ImageShape(Flow.AFFINE_AND_BATCH_NORM, true, 5, 2, 20, 8);

  private static HostLauncher host;

  @BeforeAll
  static void compile() {
    host = HostKernels.program();
  }

  /** Three warps a block; for many rows, which takes long, one thread. */
  private static HostLauncher host(int rows) {
    return host.with(rows < 100 ? 96 : 1, false);
  }

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(Shape.mog(true, 9), 1000),
        Arguments.of(Shape.mog(false, 9), 1000),
        Arguments.of(Shape.mog(true, 16), 33),
        Arguments.of(Shape.mog(true, 9).withBase(0.1, true, 3), 100),
        Arguments.of(Shape.mog(false, 16).withBase(1, true, 5), 1),
        Arguments.of(Shape.mog(true, 16).withBase(10, false, 3), 100), // far outside the box
        Arguments.of(Shape.of(5, 4, true), 33),
        Arguments.of(Shape.of(20, 8, false), 97),
        Arguments.of(Shape.of(32, 8, true), 7),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), 7),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 20, 3, 32, 8), 33),
        Arguments.of(new ImageShape(Flow.SPLINE, false, 20, 3, 32, 32), 150),
        Arguments.of(new ImageShape(Flow.AFFINE, true, 20, 2, 64, 64), 33),
        Arguments.of(new ImageShape(Flow.AFFINE, false, 5, 3, 20, 8), 7),
        Arguments.of(new Affine(5, 20, true), 1000),
        Arguments.of(new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 20, 3, 64, 8), 100),
        Arguments.of(CIF_AND_BATCH_NORM, 33),
        Arguments.of(new MixedNetworks(true), 7),
        Arguments.of(new MixedNetworks(false), 300), // tiles of several rows
        Arguments.of(new OwnNetworks(Shape.mog(true, 9)), 33),
        Arguments.of(new OwnNetworks(CIF_AND_BATCH_NORM), 33));
  }

  /** A model in three ways, with the same parameters. */
  private record Three(Model eager32, Model eager64, Model device) implements AutoCloseable {
    static Three of(Case shape, Backend device) {
      return new Three(shape.build(FLOAT32), shape.build(FLOAT64), shape.build(device));
    }

    /** Gives all three the parameters that some training led to. */
    void train(int steps, Observation x) {
      try (var engine =
          EagerEngine.seeded(eager32, new Objective.Elbo(), OptionalDouble.of(5), SEED)) {
        for (int i = 0; i < steps; i++) {
          engine.step(i, 5e-3, x);
        }
      }
      device.parameters().load(eager32.parameters().state());
      eager64.parameters().load(eager32.parameters().state());
    }

    @Override
    public void close() {
      eager32.close();
      eager64.close();
      device.close();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void gradients(Case shape, int rows) {
    assertGradients(shape, new Objective.Elbo(), rows, FLOAT32, host(rows));
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
    assertGradients(shape, new Objective.Iwae(draws), rows, FLOAT32, host(draws * rows));
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
  @MethodSource("cases")
  void gradientsOnADevice(Case shape, int rows) {
    var cuda = Backend.of("cuda", Precision.FLOAT32);
    var launcher = Cuda.launcher(cuda, ProgramSource.text());
    assertGradients(shape, new Objective.Elbo(), rows, cuda, launcher);
  }

  private static void assertGradients(
      Case shape, Objective objective, int rows, Backend backend, Launcher launcher) {
    try (var models = Three.of(shape, backend)) {
      models.train(10, shape.x(FLOAT32, 50));
      var slices = models.eager64.parameters().flat().slices();
      var rounded = new HashMap<String, Double>();
      var device = new HashMap<String, Double>();
      double norm = 0;
      for (long step = 0; step < STEPS; step++) {
        double[] exact = eager(models.eager64, objective, step, shape.x(FLOAT64, rows));
        merge(
            rounded, slices, eager(models.eager32, objective, step, shape.x(FLOAT32, rows)), exact);
        var x = shape.x(backend, rows);
        merge(device, slices, device(models.device, objective, step, x, launcher), exact);
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
    try (var engine = EagerEngine.seeded(model, objective, OptionalDouble.empty(), SEED)) {
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
    try (var program = DeviceProgram.learning(model, launcher, (int) x.rows(), objective.draws());
        var _ = new PointerScope()) {
      flat.gradient().zero_();
      program.step(x, Noise.of(rng));
      return Backend.doubles(flat.gradient());
    }
  }

  /** Root mean square. */
  private static double error(double[] a, double[] b, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(sum / (to - from));
  }

  /** Draws and their log-weights, from an evaluation and from a step. */
  @ParameterizedTest
  @MethodSource("cases")
  void logWeights(Case shape, int rows) {
    assertLogWeights(shape, rows, FLOAT32, host(rows));
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource("cases")
  void logWeightsOnADevice(Case shape, int rows) {
    var cuda = Backend.of("cuda", Precision.FLOAT32);
    assertLogWeights(shape, rows, cuda, Cuda.launcher(cuda, ProgramSource.text()));
  }

  private static void assertLogWeights(Case shape, int rows, Backend backend, Launcher launcher) {
    try (var models = Three.of(shape, backend);
        var _ = new PointerScope()) {
      models.train(10, shape.x(FLOAT32, 50));
      var x = shape.x(backend, rows);
      var z = new Errors();
      var deltas = new Errors();
      var joints = new Errors();
      try (var program = DeviceProgram.evaluating(models.device, launcher, rows);
          var _ = new NoGradGuard()) {
        for (int i = 0; i < Math.ceilDiv(LEAST_ROWS, rows); i++) {
          var exact = draw(models.eager64, shape.x(FLOAT64, rows), rng(FLOAT64, i));
          var rounded = draw(models.eager32, shape.x(FLOAT32, rows), rng(FLOAT32, i));
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
      try (var program = DeviceProgram.learning(models.device, launcher, rows, 1)) {
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

  static CounterRng rng(Backend backend, int draw) {
    return new CounterRng(backend, SEED, Purpose.EVALUATE).step(4 + draw).fromRow(13);
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
