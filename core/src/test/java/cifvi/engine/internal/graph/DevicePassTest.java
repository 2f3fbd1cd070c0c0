package cifvi.engine.internal.graph;

import static cifvi.engine.internal.graph.DeviceCases.CIF_AND_BATCH_NORM;
import static cifvi.engine.internal.graph.DeviceCases.rng;
import static cifvi.engine.internal.graph.DeviceGradients.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.FusedModels.Unknown;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.fused.LargeDecoderShape;
import cifvi.engine.internal.fused.OneLayer;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.engine.internal.graph.program.DeviceCompiler;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.bytedeco.pytorch.NoGradGuard;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How a program runs: without races, inside the engine and for estimators. */
@ExtendWith(NativeScope.class)
class DevicePassTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final long SEED = 3;
  private static final Objective ELBO = new Objective.Elbo();

  private static HostLauncher host;

  @BeforeAll
  static void compile() {
    host = HostKernels.program();
  }

  /** Estimators get the numbers of the kernels, from the first pass on, which is not captured. */
  @Test
  void evaluationsUseTheKernels() {
    var shape = new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4);
    var counted = host.with(1, false);
    try (var model = shape.build(FLOAT32);
        var weights =
            new GraphLogWeights(
                model, HostKernels.of(Precision.FLOAT32), counted, HostRecording::of)) {
      var x = shape.x(FLOAT32, 9);
      var expected = byKernels(model, x);
      for (int pass = 0; pass < 3; pass++) {
        var draws = weights.draw(x, 1, rng(FLOAT32, 0));
        assertThat(counted.launches()).containsKeys("interpret_forward", "prepare");
        assertThat(draws).usingRecursiveComparison().isEqualTo(expected);
      }
    }
  }

  private static LogWeights.Draws byKernels(Model model, Observation x) {
    try (var pass = DevicePass.evaluating(model, host.with(1, false), (int) x.rows());
        var _ = new NoGradGuard()) {
      pass.forward(x, rng(FLOAT32, 0));
      double[] logJoint = Backend.doubles(pass.logJoint());
      double[] delta = Backend.doubles(pass.logWeight());
      Arrays.setAll(delta, i -> delta[i] - logJoint[i]);
      return new LogWeights.Draws(Backend.doubles(pass.z()), delta, logJoint);
    }
  }

  /** Together they have every operation. */
  static Stream<Case> everyOperation() {
    return Stream.of(
        Shape.mog(false, 9),
        Shape.of(5, 4, true),
        new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4),
        new ImageShape(Flow.AFFINE, true, 5, 2, 20, 8),
        new MixedNetworks(true),
        LargeDecoderShape.of(true, 2),
        LargeDecoderShape.vae(8),
        new Unknown(),
        new OneLayer(OneLayer.Kind.SINH_ARCSINH, 0.5),
        new OneLayer(OneLayer.Kind.MEAN_FIELD, 0.5),
        new OneLayer(OneLayer.Kind.DATA, 0.5),
        CIF_AND_BATCH_NORM);
  }

  /** Threads in the other order give the same bits: nobody reads what another writes at once. */
  @ParameterizedTest
  @MethodSource("everyOperation")
  void threadsDoNotRace(Case shape) {
    int rows = shape instanceof LargeDecoderShape ? 3 : 7; // takes minutes: a pair, and half of one
    try (var model = shape.build(FLOAT32)) {
      var there = step(model, ELBO, 0, shape.x(FLOAT32, rows), host.with(96, false));
      var back = step(model, ELBO, 0, shape.x(FLOAT32, rows), host.with(96, true));
      assertThat(back).allSatisfy((name, g) -> assertThat(g).isEqualTo(there.get(name)));
    }
  }

  /** Starts what may run beside other work as late as can be. */
  private record Dawdling(Launcher host) implements Launcher {
    @Override
    public DeviceLimits limits() {
      return host.limits();
    }

    @Override
    public void launch(
        String kernel, int blocks, int threads, int sharedBytes, @Nullable Object... arguments) {
      host.launch(kernel, blocks, threads, sharedBytes, arguments);
    }

    @Override
    public Runnable beside(Runnable work) {
      return work;
    }
  }

  /** What runs beside a decoder, and beside the way back of the flow, waits for neither. */
  @ParameterizedTest
  @CsvSource({"1, 2", "3, 2", "1, 8", "3, 8"})
  void workOnTheSecondStreamMayComeAnyTime(int draws, int multiplier) {
    var shape = LargeDecoderShape.of(true, multiplier);
    Objective objective = draws == 1 ? ELBO : new Objective.Iwae(draws);
    var launcher = host.with(32, false);
    try (var model = shape.build(FLOAT32)) {
      var x = shape.x(FLOAT32, 2);
      var early = step(model, objective, 0, x, launcher);
      var late = step(model, objective, 0, x, new Dawdling(launcher));
      assertThat(late).allSatisfy((name, g) -> assertThat(g).isEqualTo(early.get(name)));
    }
  }

  /** Together they have every way of launching the interpreter. */
  static Stream<Case> everyLaunch() {
    return Stream.of(
        Shape.mog(true, 9),
        LargeDecoderShape.of(true, 1),
        LargeDecoderShape.vae(8),
        new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 5, 2, 20, 8),
        CIF_AND_BATCH_NORM);
  }

  /** The kernels of one program alone, in texts of their own, give what all of them give. */
  @ParameterizedTest
  @MethodSource("everyLaunch")
  void aProgramNeedsNoOtherSources(Case shape) {
    try (var model = shape.build(FLOAT32)) {
      var program = DeviceCompiler.compile(DeviceCompiler.plan(model, ELBO), true);
      var own = new Several(KernelSource.passes(program).stream().map(HostKernels::of).toList());
      var x = shape.x(FLOAT32, 2);
      assertNear(step(model, ELBO, 0, x, own), step(model, ELBO, 0, x, host));
      assertThat(logWeights(model, x, own)).isEqualTo(logWeights(model, x, host));
    }
  }

  private static double[] logWeights(Model model, Observation x, Launcher launcher) {
    try (var pass = DevicePass.evaluating(model, launcher, (int) x.rows());
        var _ = new NoGradGuard()) {
      pass.forward(x, rng(FLOAT32, 0));
      return Backend.doubles(pass.logWeight());
    }
  }

  /** Kernels of several sources. */
  private record Several(List<HostLauncher> all) implements Launcher {
    @Override
    public DeviceLimits limits() {
      return all.getFirst().limits();
    }

    @Override
    public void launch(
        String kernel, int blocks, int threads, int sharedBytes, @Nullable Object... arguments) {
      all.stream()
          .filter(source -> source.has(kernel))
          .findFirst()
          .orElseThrow()
          .launch(kernel, blocks, threads, sharedBytes, arguments);
    }
  }

  /** How a batch is cut for a device changes the order of sums, and no more. */
  @ParameterizedTest
  @MethodSource("everyOperation")
  void devicesAgree(Case shape) {
    var launcher = host.with(32, false);
    try (var model = shape.build(FLOAT32)) {
      var x = shape.x(FLOAT32, 99); // in tiles of three on a T4
      var here = step(model, ELBO, 0, x, launcher);
      var there = step(model, ELBO, 0, x, launcher.on(Devices.T4));
      assertNear(there, here);
    }
  }

  /** But for the order of sums. */
  private static void assertNear(Map<String, double[]> there, Map<String, double[]> here) {
    double size =
        here.values().stream().flatMapToDouble(Arrays::stream).map(Math::abs).max().orElseThrow();
    assertThat(there)
        .hasSameSizeAs(here)
        .allSatisfy(
            (name, g) -> assertThat(g).containsExactly(here.get(name), within(1e-5 * size)));
  }

  /**
   * Training by captured steps, with smaller batches in between, goes where eager training in
   * float64 goes.
   */
  @ParameterizedTest
  @MethodSource("everyOperation")
  void anEngineTrainsWithIt(Case shape) {
    var options = new StepOptions(OptionalDouble.of(5), SEED, 1);
    try (var twins = Twins.of(shape, FLOAT32, 5);
        var engine =
            new GraphEngine(
                twins.own(),
                options,
                new KernelBody(twins.own(), ELBO, host),
                HostKernels.of(Precision.FLOAT32),
                HostRecording::of);
        var eager = EagerEngine.seeded(twins.exact(), ELBO, options)) {
      for (int i = 0; i < 6; i++) {
        int rows = i % 3 == 2 ? 7 : 12;
        double expected = eager.step(i, 1e-3, shape.x(FLOAT64, rows)).objective();
        assertThat(engine.step(i, 1e-3, shape.x(FLOAT32, rows)).objective())
            .isCloseTo(expected, within(1e-4 * Math.abs(expected)));
      }
    }
  }

  /** Runs nothing, and so needs no g++. */
  private record Silent(DeviceLimits limits) implements Launcher {
    @Override
    public void launch(
        String kernel, int blocks, int threads, int sharedBytes, @Nullable Object... arguments) {}
  }

  @Test
  void refusesOtherBatches() {
    var shape = new ImageShape(Flow.SPLINE, true, 3, 1, 7, 4);
    try (var model = shape.build(FLOAT32);
        var pass = DevicePass.evaluating(model, new Silent(Devices.H200), 7)) {
      assertThatThrownBy(() -> pass.forward(shape.x(FLOAT32, 8), rng(FLOAT32, 0)))
          .hasMessage("x: expected 7 rows, got 8");
      assertThatThrownBy(() -> pass.forward(Observation.none(7), rng(FLOAT32, 0)))
          .hasMessage("x: expected a batch of images, got no observation");
    }
  }

  @Test
  void saysWhatIsNotCovered() {
    var mixture = Shape.mog(true, 9);
    assertObstacle(mixture, ELBO, FLOAT64, "CUDA kernels are float32, the model is float64");
    var iwae = new Objective.Iwae(2);
    var late = "importance weights come too late for batch norm and for libtorch";
    assertObstacle(new Unknown(), iwae, FLOAT32, late);
    assertObstacle(new OwnNetworks(mixture), iwae, FLOAT32, late);
    assertObstacle(new Affine(5, 20, true), iwae, FLOAT32, late);
  }

  private static void assertObstacle(Case shape, Objective objective, Backend backend, String why) {
    try (var model = shape.build(backend)) {
      assertThat(Coverage.obstacle(model, objective, Devices.H200)).contains(why);
    }
  }
}
