package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.FusedModels.Unknown;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.graph.GraphRun.Named;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Rng;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepInfo;
import cifvi.vi.WeightAverage;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Steps that are recorded against eager ones on the same device, and against themselves: here with
 * kernels on the processor and recordings that simply run again, and captured on a GPU.
 */
@ExtendWith(NativeScope.class)
class GraphEngineTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final int STEPS = 10;

  static List<Named> cases() {
    var vae = new ImageShape(Flow.SPLINE, false, 20, 0, 7, 4);
    return List.of(
        new Named("mixture, paper", Shape.mog(true, 9)),
        new Named("mixture, released", Shape.mog(false, 9)),
        new Named("LU, five dimensions", Shape.of(5, 4, true)),
        new Named("layers of a user's own", new Unknown()),
        new Named("VAE", vae),
        new Named("IWAE", vae, new Objective.Iwae(3)),
        new Named("NSF", new ImageShape(Flow.SPLINE, false, 8, 2, 19, 4)),
        new Named("CIF-NSF", new ImageShape(Flow.SPLINE, true, 8, 2, 19, 4)),
        new Named("CIF-MAF", new ImageShape(Flow.AFFINE, true, 8, 2, 19, 4)),
        new Named(
            "MAF, batch norm", new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 8, 2, 19, 4)));
  }

  /** For what is the same in all of them: a mixture, segments of every kind, buffers. */
  static List<Named> few() {
    return cases().stream()
        .filter(c -> Set.of("mixture, paper", "CIF-NSF", "MAF, batch norm").contains(c.name()))
        .toList();
  }

  static Stream<Arguments> inBothPrecisions() {
    return Stream.of(Precision.values())
        .flatMap(p -> cases().stream().map(c -> Arguments.of(c, p)));
  }

  /** ‖a - b‖ / ‖b‖. */
  private static double error(double[] a, double[] b) {
    double difference = 0;
    double size = 0;
    for (int i = 0; i < b.length; i++) {
      difference += (a[i] - b[i]) * (a[i] - b[i]);
      size += b[i] * b[i];
    }
    return Math.sqrt(difference / size);
  }

  @ParameterizedTest
  @MethodSource("inBothPrecisions")
  void stepsAreThoseOfTheEagerEngine(Named named, Precision precision) {
    assertStepsAreEager(named, Backend.cpu(precision));
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource("inBothPrecisions")
  void capturedStepsAreThoseOfTheEagerEngine(Named named, Precision precision) {
    assertStepsAreEager(named, Backend.of("cuda", precision));
  }

  private static void assertStepsAreEager(Named named, Backend backend) {
    Precision precision = backend.precision();
    try (var graph = GraphRun.graph(named, backend);
        var eager = GraphRun.eager(named, backend);
        var cpu = GraphRun.eager(named, Backend.cpu(Precision.FLOAT64))) {
      graph.steps(0, 1, 0);
      eager.steps(0, 1, 0);
      cpu.steps(0, 1, 0);
      double error = error(graph.gradient(), eager.gradient());
      double exact = error(graph.gradient(), cpu.gradient());
      double eagerly = error(eager.gradient(), cpu.gradient());
      graph.steps(1, STEPS, 1e-3);
      eager.steps(1, STEPS, 1e-3);
      double objective = 0;
      for (int i = 0; i < STEPS; i++) {
        StepInfo a = graph.infos.get(i);
        StepInfo b = eager.infos.get(i);
        assertThat(a.step()).isEqualTo(i);
        assertThat(a.applied()).isTrue();
        objective = Math.max(objective, Math.abs(a.objective() / b.objective() - 1));
      }
      System.out.printf(
          "%s, %s: gradient against eager %.2g, against float64 on the CPU %.2g (eager %.2g); objectives of all steps %.2g%n",
          named, precision, error, exact, eagerly, objective);
      boolean doubles = precision == Precision.FLOAT64;
      assertThat(error).isLessThan(doubles ? 1e-11 : 1e-4);
      assertThat(exact).isLessThan(doubles ? 1e-10 : 1e-3);
      assertThat(objective).isLessThan(doubles ? 1e-8 : 1e-3);
      assertThat(graph.engine.optimiser().updates()).isEqualTo(eager.engine.optimiser().updates());
      assertThat(graph.engine.optimiser().starts()).isEqualTo(eager.engine.optimiser().starts());
      for (int i = 0; i < graph.model.parameters().buffers().size(); i++) {
        Tensor difference = graph.state().get(i).sub(eager.state().get(i));
        assertThat(difference.abs().max().item_double()).isLessThan(doubles ? 1e-8 : 1e-2);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("few")
  void resumedStepsGoOnBitForBit(Named named) {
    assertResumed(named, FLOAT32);
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource("cases")
  void resumedCapturedStepsGoOnBitForBit(Named named) {
    assertResumed(named, Backend.of("cuda", Precision.FLOAT32));
  }

  /** A run of the same steps has the same bits, and so has one that goes on from its state. */
  private static void assertResumed(Named named, Backend backend) {
    try (var whole = GraphRun.graph(named, backend);
        var half = GraphRun.graph(named, backend);
        var other = GraphRun.graph(named, backend)) {
      whole.steps(0, 80, 1e-3);
      half.steps(0, 71, 1e-3);
      assertThat(half.infos).isEqualTo(whole.infos.subList(0, 71));
      var adam = half.engine.optimiser();
      other.model.parameters().load(half.model.parameters().state());
      other
          .engine
          .optimiser()
          .moments()
          .forEach((name, moment) -> moment.copy_(adam.moments().get(name)));
      other.engine.optimiser().resume(adam.updates(), adam.starts());
      other.steps(71, 80, 1e-3);
      assertThat(other.infos).isEqualTo(whole.infos.subList(71, 80));
      assertThat(other.numbers()).isEqualTo(whole.numbers());
    }
  }

  @ParameterizedTest
  @MethodSource("few")
  void aStepThatIsNotFiniteChangesNothing(Named named) {
    assertSkipped(named, FLOAT32);
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource("cases")
  void aCapturedStepThatIsNotFiniteChangesNothing(Named named) {
    assertSkipped(named, Backend.of("cuda", Precision.FLOAT32));
  }

  private static void assertSkipped(Named named, Backend backend) {
    try (var run = GraphRun.graph(named, backend)) {
      run.steps(0, 5, 1e-3);
      var good = run.numbers();
      var flat = run.model.parameters().flat();
      Tensor kept = flat.values().clone();
      flat.update(() -> flat.values().fill_(new Scalar(Double.NaN)));
      var before = run.numbers();
      run.steps(5, 8, 1e-3);
      assertThat(run.infos.subList(5, 8)).noneMatch(StepInfo::applied);
      assertThat(run.numbers()).isEqualTo(before);
      assertThat(run.engine.optimiser().updates()).isEqualTo(5);
      flat.update(() -> flat.values().copy_(kept));
      assertThat(run.numbers()).isEqualTo(good);
      assertThat(run.engine.step(8, 1e-3, run.x(8)).applied()).isTrue();
    }
  }

  /**
   * Between steps an average is measured and evaluated by kernels, which have the addresses of the
   * model's own tensors.
   */
  @Test
  void anAverageIsEvaluatedBetweenSteps() {
    var named = few().getLast();
    try (var without = GraphRun.graph(named, FLOAT32);
        var with = GraphRun.graph(named, FLOAT32);
        var average = new WeightAverage(with.model.parameters());
        var pass = DevicePass.evaluating(with.model, HostKernels.program(), 7)) {
      var x = named.shape().x(FLOAT32, 7);
      var rng = new CounterRng(FLOAT32, 1, Purpose.VALIDATE);
      without.steps(0, 9, 1e-3);
      for (int i = 0; i < 9; i++) {
        with.steps(i, i + 1, 1e-3);
        average.add(i);
        average.measure(with.model, with.x(0), rng);
        double[] expected = average.during(() -> eager(with.model, x, rng));
        assertThat(average.during(() -> byKernels(pass, x, rng)))
            .containsExactly(expected, within(1e-2));
        assertThat(eager(with.model, x, rng)).isNotEqualTo(expected);
      }
      assertThat(with.infos).isEqualTo(without.infos);
      assertThat(with.numbers()).isEqualTo(without.numbers());
    }
  }

  /** Δ of every row. */
  private static double[] eager(Model model, Observation x, Rng rng) {
    return LogWeights.eager(model).draw(x, 1, rng).delta();
  }

  private static double[] byKernels(DevicePass pass, Observation x, Rng rng) {
    pass.forward(x, rng);
    return Backend.doubles(pass.logWeight().sub(pass.logJoint()));
  }

  @Test
  void stepsLeaveNoPointer() {
    try (var run = GraphRun.graph(cases().getFirst(), FLOAT32)) {
      run.steps(0, 70, 1e-3);
      long before = Pointer.totalCount();
      run.steps(70, 200, 1e-3);
      assertThat(Pointer.totalCount()).isLessThanOrEqualTo(before);
    }
  }
}
