package cifvi.vi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.bijection.BatchNorm;
import cifvi.bijection.LuLinear;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.nn.Parameters;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Gaussian;
import cifvi.posterior.Posterior;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Kind;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Training: bad steps leave no trace, good ones find the optimum, and a seed fixes every bit. */
@ExtendWith(NativeScope.class)
class TrainerTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final Observation X = Observation.none(50);
  private static final double[] MEAN = {1, -2};
  private static final double[][] COVARIANCE = {{2, 0.6}, {0.6, 0.5}};

  /** What the target returns in the next steps. */
  enum Weather {
    GOOD,
    NAN_VALUE,
    INFINITE_VALUE,
    NAN_GRADIENT
  }

  private Weather weather = Weather.GOOD;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GOOD")
  void badStepLeavesParametersAndOptimiserBitForBit(Weather bad) {
    try (var run = new Run(1)) {
      run.steps(Weather.GOOD, 3);
      State before = run.state();
      StepInfo info = run.step(bad);
      assertThat(info.applied()).isFalse();
      assertThat(info.step()).isEqualTo(3);
      assertThat(run.state()).usingRecursiveComparison().isEqualTo(before);
      assertThat(run.trainer.skipped()).isEqualTo(1);
      assertThat(run.trainer.steps()).isEqualTo(4);
      assertThat(run.step(Weather.GOOD).applied()).isTrue();
      assertThat(run.state()).usingRecursiveComparison().isNotEqualTo(before);
    }
  }

  @Test
  void tenBadStepsInARowStopTraining() {
    try (var run = new Run(1)) {
      run.steps(Weather.GOOD, 2);
      State before = run.state();
      run.steps(Weather.NAN_VALUE, 9);
      assertThatThrownBy(() -> run.step(Weather.NAN_VALUE))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContainingAll(
              "training stopped: steps 2 to 11", "non-finite objective (NaN)", "learning rate")
          .hasMessageNotContaining("\n");
      assertThatThrownBy(() -> run.step(Weather.NAN_VALUE))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("steps 2 to 12");
      assertThat(run.state()).usingRecursiveComparison().isEqualTo(before);
      assertThat(run.trainer.skipped()).isEqualTo(11);
    }
  }

  @Test
  void goodStepResetsTheCount() {
    try (var run = new Run(1)) {
      for (int round = 0; round < 3; round++) {
        run.steps(Weather.NAN_VALUE, 9);
        run.steps(Weather.GOOD, 1);
      }
      assertThat(run.trainer.skipped()).isEqualTo(27);
      assertThat(run.trainer.skippedInARow()).isZero();
      assertThat(run.engine.optimiser().updates()).isEqualTo(3);
    }
  }

  @Test
  void resumedTrainerRemembersTheBadSteps() {
    try (var run = new Run(1)) {
      run.trainer.resume(100, 12, 9);
      assertThatThrownBy(() -> run.step(Weather.NAN_VALUE))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("steps 91 to 100");
    }
  }

  @Test
  void lateReportsAreCountedTheSame() {
    try (var run = new Run(1);
        var late = new LateEngine(run.engine)) {
      var trainer = new Trainer(late, Schedule.constant(1e-3));
      var infos = new ArrayList<StepInfo>();
      for (int i = 0; i < 6; i++) {
        weather = i % 3 == 0 ? Weather.NAN_VALUE : Weather.GOOD;
        trainer.submit(X, infos::add);
        assertThat(trainer.steps()).isEqualTo(i + 1);
        assertThat(infos).hasSize(i < 3 ? 0 : 4);
      }
      trainer.finish();
      assertThat(infos).extracting(StepInfo::step).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
      assertThat(trainer.skipped()).isEqualTo(2);
      assertThat(trainer.skippedInARow()).isZero();
      weather = Weather.NAN_VALUE;
      assertThatThrownBy(() -> trainer.run(100, X, infos::add))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("steps 6 to 15");
      assertThat(infos).hasSize(15);
      assertThat(trainer.skipped()).isEqualTo(12);
    }
  }

  @Test
  void aRunThatIsStoppedLateReportsEveryStep() {
    try (var run = new Run(1);
        var late = new LateEngine(run.engine)) {
      var trainer = new Trainer(late, Schedule.constant(1e-3));
      var infos = new ArrayList<StepInfo>();
      trainer.run(100, X, info -> infos.add(info) && info.step() != 5);
      assertThat(infos).hasSize(8).last().extracting(StepInfo::step).isEqualTo(trainer.steps() - 1);
    }
  }

  /** z = b + L U w with a learnt diagonal base is every Gaussian, so the best ELBO is 0. */
  @Test
  void gaussianTargetIsFound() {
    try (var run = new Run(1)) {
      run.trainer.run(1500, Observation.none(200), _ -> true);
      var weights = new ForwardWeights(run.model, 10_000, Progress.SILENT);
      Estimate elbo = weights.auxiliaryElbo(Observation.none(1), 10_000, rng(9));
      assertThat(elbo.mean()).isCloseTo(0, within(1e-3));
      Gaussian target = new Gaussian(MEAN, COVARIANCE);
      Tensor z = BACKEND.tensor(new double[] {1, -2, 2, -1.8, 0, -2.3, 1.5, -1.5}, 4, 2);
      assertThat(Backend.doubles(run.model.posterior().logWeight(z, Observation.none(4), rng(9))))
          .containsExactly(target.logDensities(z), within(0.02));
    }
  }

  static Stream<Kind> kinds() {
    return Stream.of(Precision.values()).flatMap(Kind::all);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void seedFixesEveryBit(Kind kind) {
    double[] once = trained(kind, 1);
    assertThat(trained(kind, 1)).containsExactly(once);
    assertThat(trained(kind, 2)).isNotEqualTo(once);
  }

  @Test
  void batchStatisticsAreFoldedInAfterAppliedStepsOnly() {
    var parameters = new Parameters(BACKEND, 0);
    var base = NormalBase.create(parameters.in("base"), 2, 1, true);
    var posterior = new Posterior(base, List.of(new FlowLayer(new BatchNorm(parameters, 2))));
    try (var run = new Run(new Model(posterior, target(), parameters), 1)) {
      Tensor running = requireNonNull(parameters.buffers().get("running_mean"));
      run.step(Weather.NAN_VALUE);
      assertThat(Backend.doubles(running)).containsExactly(0, 0);
      double[] batch = Backend.doubles(base.given(X).sample(rng(1).step(1)).value().mean(0));
      run.step(Weather.GOOD);
      assertThat(Backend.doubles(running))
          .containsExactly(new double[] {0.1 * batch[0], 0.1 * batch[1]}, within(1e-15));
      run.step(Weather.NAN_GRADIENT);
      assertThat(Backend.doubles(running))
          .containsExactly(new double[] {0.1 * batch[0], 0.1 * batch[1]}, within(1e-15));
    }
  }

  private static double[] trained(Kind kind, long seed) {
    try (Model model = Posteriors.cif(kind, 1);
        var engine =
            EagerEngine.seeded(
                model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), seed, 1))) {
      new Trainer(engine, Schedule.constant(1e-3))
          .run(3, Posteriors.observation(kind, 20), _ -> true);
      return Backend.doubles(model.parameters().flat().values());
    }
  }

  private Target target() {
    var mixture =
        new MixtureTarget(
            BACKEND, new double[] {1}, new double[][] {MEAN}, new double[][][] {COVARIANCE});
    return (x, z) -> {
      Tensor value = mixture.logJoint(x, z);
      return switch (weather) {
        case GOOD -> value;
        case NAN_VALUE -> value.mul(Scalars.of(Double.NaN));
        case INFINITE_VALUE -> value.add(Scalars.of(Double.NEGATIVE_INFINITY));
        case NAN_GRADIENT -> value.add(z.mul(Scalars.of(0)).sqrt().sum(1)); // 0 · ∞ backwards
      };
    };
  }

  private static CounterRng rng(long seed) {
    return new CounterRng(BACKEND, seed, Purpose.TRAIN);
  }

  /** Everything a step may change. */
  private record State(List<Double> values, List<Double> m, List<Double> v, long updates) {}

  /** A Gaussian posterior in training. */
  private final class Run implements AutoCloseable {
    final Model model;
    final EagerEngine engine;
    final Trainer trainer;

    Run(long seed) {
      this(gaussian(), seed);
    }

    Run(Model model, long seed) {
      this.model = model;
      engine =
          EagerEngine.seeded(
              model, new Objective.Elbo(), new StepOptions(OptionalDouble.empty(), seed, 1));
      trainer = new Trainer(engine, Schedule.cosine(0.03, 1500));
    }

    StepInfo step(Weather next) {
      weather = next;
      return trainer.step(X);
    }

    void steps(Weather next, int count) {
      for (int i = 0; i < count; i++) {
        step(next);
      }
    }

    State state() {
      return new State(
          numbers(model.parameters().flat().values()),
          numbers(engine.optimiser().moments().firstEntry().getValue()),
          numbers(engine.optimiser().moments().lastEntry().getValue()),
          engine.optimiser().updates());
    }

    @Override
    public void close() {
      engine.close();
      model.close();
    }
  }

  private Model gaussian() {
    var parameters = new Parameters(BACKEND, 0);
    var base = NormalBase.create(parameters.in("base"), 2, 1, true);
    var posterior = new Posterior(base, List.of(new FlowLayer(new LuLinear(parameters, 2))));
    return new Model(posterior, target(), parameters);
  }

  private static List<Double> numbers(Tensor tensor) {
    return Arrays.stream(Backend.doubles(tensor)).boxed().toList();
  }
}
