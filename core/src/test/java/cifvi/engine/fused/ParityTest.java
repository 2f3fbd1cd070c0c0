package cifvi.engine.fused;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.engine.EagerEngine;
import cifvi.engine.fused.FusedModels.Affine;
import cifvi.engine.fused.FusedModels.Case;
import cifvi.engine.fused.FusedModels.Shape;
import cifvi.engine.fused.FusedModels.Unknown;
import cifvi.engine.fused.ImageShape.Flow;
import cifvi.nn.FlatParameters.Slice;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The fused engine is as exact as eager float32: its error against eager float64 is at most twice
 * that of eager float32, plus 10⁻⁶ of the norm of the whole gradient, for every tensor, at
 * initialisation and on a trained model.
 *
 * <p>The error of a tensor is the Euclidean norm of the difference. It is judged by its geometric
 * mean over {@value #DRAWS} draws of parameters and noise, since one draw compares luck with luck:
 *
 * <ul>
 *   <li>All rows share the knots of the first feature, so that the rounding of these is one draw
 *       for a whole batch, and for every batch until the parameters change.
 *   <li>Where a spline is steep, one row errs more than all others together. With LU and σ₀ = 10
 *       two of the first 500 rows do: half a unit in the last place of the second spline's input
 *       changes their exact gradient by more than either engine errs. Without the three worst rows
 *       fused errs a quarter as much as eager; with them, and an arithmetic mean over some batches,
 *       the ratio has been anything from 1/200 to 5.
 * </ul>
 */
@ExtendWith(NativeScope.class)
class ParityTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final Objective ELBO = new Objective.Elbo();
  private static final long SEED = 3;
  private static final int DRAWS = 10;
  private static final double FLOOR = 1e-6;
  private static final double ULP = 0x1p-23;

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(Shape.mog(true, 9), 1000, 2),
        Arguments.of(Shape.mog(false, 9), 1000, 1),
        Arguments.of(Shape.mog(true, 16), 33, 3),
        Arguments.of(Shape.mog(false, 16), 7, 1),
        Arguments.of(Shape.mog(true, 9).withBase(0.1, true, 3), 100, 2),
        Arguments.of(Shape.mog(false, 16).withBase(1, true, 5), 1, 3),
        Arguments.of(Shape.mog(true, 16).withBase(10, false, 3), 100, 1), // far outside the box
        Arguments.of(Shape.mog(true, 16).withBase(10, false, 3).withLu(), 100, 1),
        Arguments.of(Shape.mog(false, 9).withLu(), 100, 2),
        Arguments.of(Shape.of(5, 4, true), 33, 2),
        Arguments.of(Shape.of(20, 8, false), 97, 1),
        Arguments.of(Shape.of(32, 8, true), 7, 2),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), 7, 2),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 1, 7, 3), 7, 1), // r is a segment
        Arguments.of(new ImageShape(Flow.SPLINE, true, 20, 3, 32, 8), 33, 2),
        Arguments.of(new ImageShape(Flow.SPLINE, false, 20, 3, 32, 32), 150, 1),
        Arguments.of(new ImageShape(Flow.AFFINE, true, 20, 2, 64, 64), 33, 1),
        Arguments.of(new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 5, 2, 20, 8), 33, 2),
        Arguments.of(new ImageShape(Flow.AFFINE_AND_BATCH_NORM, true, 3, 1, 7, 4), 290, 2),
        Arguments.of(new Affine(1, 3, false), 7, 1),
        Arguments.of(new Affine(2, 5, true), 33, 1),
        Arguments.of(new Affine(7, 40, false), 150, 2),
        Arguments.of(new Affine(20, 64, true), 97, 3),
        Arguments.of(new Unknown(), 33, 2));
  }

  /** A model in three ways, with the same parameters. */
  private record Three(Model eager32, Model eager64, Model fused) implements AutoCloseable {
    static Three of(Case shape, long seed) {
      var models =
          new Three(
              shape.build(FLOAT32, seed), shape.build(FLOAT64, seed), shape.build(FLOAT32, seed));
      models.share();
      return models;
    }

    /** Gives all three the parameters of the fused one, float32 numbers. */
    void share() {
      eager32.parameters().load(fused.parameters().state());
      eager64.parameters().load(fused.parameters().state());
    }

    @Override
    public void close() {
      eager32.close();
      eager64.close();
      fused.close();
    }
  }

  /** Trains the fused one of three models and gives its parameters to all. */
  private record Training(Three models, FusedEngine engine, Observation x)
      implements AutoCloseable {
    static Training of(Three models, Case shape) {
      var engine = new FusedEngine(models.fused, ELBO, OptionalDouble.of(5), SEED, 1);
      return new Training(models, engine, shape.x(FLOAT32, 100));
    }

    void run(int from, int to) {
      for (int i = from; i < to; i++) {
        engine.step(i, 5e-3, x);
      }
      models.share();
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void gradientsAtInitialisation(Case shape, int samples, int threads) {
    var scores = new Scores();
    for (int draw = 0; draw < DRAWS; draw++) {
      try (var models = Three.of(shape, draw)) {
        scores.add(shape, ELBO, models, draw, samples, threads);
      }
    }
    scores.check();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void gradientsOfATrainedModel(Case shape, int samples, int threads) {
    var scores = new Scores();
    try (var models = Three.of(shape, 5);
        var training = Training.of(models, shape)) {
      training.run(0, 40);
      for (int draw = 0; draw < DRAWS; draw++) {
        scores.add(shape, ELBO, models, draw, samples, threads);
        training.run(40 + 5 * draw, 45 + 5 * draw);
      }
    }
    scores.check();
  }

  static Stream<Arguments> importanceWeightedCases() {
    return Stream.of(
        Arguments.of(Shape.mog(true, 9), 61, 2),
        Arguments.of(new Affine(5, 20, true), 33, 3),
        Arguments.of(new ImageShape(Flow.SPLINE, true, 3, 2, 7, 4), 33, 2));
  }

  /** Five draws for every row of x, which one block need not hold together. */
  @ParameterizedTest
  @MethodSource("importanceWeightedCases")
  void importanceWeightedGradients(Case shape, int samples, int threads) {
    var scores = new Scores();
    try (var models = Three.of(shape, 5);
        var training = Training.of(models, shape)) {
      training.run(0, 40);
      for (int draw = 0; draw < DRAWS; draw++) {
        scores.add(shape, new Objective.Iwae(5), models, draw, samples, threads);
      }
    }
    scores.check();
  }

  /** Of every tensor and of the objective: how the error compares with its bound. */
  private static final class Scores {
    private final Map<String, Double> logs = new HashMap<>();

    void add(Case shape, Objective objective, Three models, int step, int samples, int threads) {
      var x = shape.x(FLOAT32, samples);
      var exact = eager(models.eager64, objective, step, shape.x(FLOAT64, samples));
      var rounded = eager(models.eager32, objective, step, x);
      var fused = fused(models.fused, objective, step, x, threads);
      double floor = FLOOR * norm(exact.gradient, new double[exact.gradient.length]);
      models
          .eager64
          .parameters()
          .flat()
          .slices()
          .forEach(
              (name, slice) -> {
                double[] expected = part(exact, slice);
                add(
                    name,
                    norm(part(fused, slice), expected),
                    norm(part(rounded, slice), expected),
                    floor);
              });
      add(
          "objective",
          Math.abs(fused.objective - exact.objective),
          Math.abs(rounded.objective - exact.objective),
          FLOOR * Math.abs(exact.objective));
    }

    private void add(String name, double fused, double rounded, double floor) {
      logs.merge(name, score(fused, rounded, floor), Double::sum);
    }

    void check() {
      assertThat(logs).allSatisfy((_, sum) -> assertThat(sum).isLessThanOrEqualTo(0));
    }
  }

  /** A logarithm that is zero where fused = 2 rounded + floor, and finite where nothing errs. */
  private static double score(double fused, double rounded, double floor) {
    return Math.log((fused + floor) / (2 * (rounded + floor)));
  }

  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  private record Result(double objective, double[] gradient) {
    static Result of(StepEngine engine, Model model, long step, Observation x) {
      double objective = engine.step(step, 0, x).objective();
      return new Result(objective, Backend.doubles(model.parameters().flat().gradient()));
    }
  }

  private static Result eager(Model model, Objective objective, long step, Observation x) {
    try (var engine = EagerEngine.seeded(model, objective, OptionalDouble.empty(), SEED)) {
      return Result.of(engine, model, step, x);
    }
  }

  private static Result fused(
      Model model, Objective objective, long step, Observation x, int threads) {
    try (var engine = new FusedEngine(model, objective, OptionalDouble.empty(), SEED, threads)) {
      return Result.of(engine, model, step, x);
    }
  }

  private static double[] part(Result result, Slice slice) {
    int from = (int) slice.offset();
    return Arrays.copyOfRange(result.gradient, from, from + (int) slice.count());
  }

  /** |a - b|. */
  private static double norm(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(sum);
  }

  /** Draws, their log-weights, and the log-weights of paths back from them. */
  @ParameterizedTest
  @MethodSource("cases")
  void logWeights(Case shape, int samples, int threads) {
    int rows = samples + (shape instanceof Shape ? 500 : 0); // enough rows for a mean
    try (var models = Three.of(shape, 5);
        var training = Training.of(models, shape)) {
      assertSameLogWeights(shape, models, rows, threads);
      training.run(0, 40);
      assertSameLogWeights(shape, models, rows, threads);
    }
  }

  private static void assertSameLogWeights(Case shape, Three models, int rows, int threads) {
    try (var fused = new FusedLogWeights(models.fused, threads)) {
      var x = shape.x(FLOAT32, rows);
      var x64 = shape.x(FLOAT64, rows);
      var exact = LogWeights.eager(models.eager64).draw(x64, 3, rng(FLOAT64));
      var rounded = LogWeights.eager(models.eager32).draw(x, 3, rng(FLOAT32));
      var draws = fused.draw(x, 3, rng(FLOAT32));
      assertAsExact(draws.z(), rounded.z(), exact.z());
      assertAsExact(draws.delta(), rounded.delta(), exact.delta());
      assertAsExact(draws.logJoint(), rounded.logJoint(), exact.logJoint());
      double[] z = LogWeights.eager(models.eager32).draw(x, 1, rng(FLOAT32)).z();
      assertAsExact(
          fused.backward(z, x, 3, rng(FLOAT32)),
          LogWeights.eager(models.eager32).backward(z, x, 3, rng(FLOAT32)),
          LogWeights.eager(models.eager64).backward(z, x64, 3, rng(FLOAT64)));
    }
  }

  private static CounterRng rng(Backend backend) {
    return new CounterRng(backend, SEED, Purpose.EVALUATE).step(4).fromRow(13);
  }

  /** By the geometric mean over all numbers; the floor is the last place of the largest. */
  private static void assertAsExact(double[] fused, double[] rounded, double[] exact) {
    double floor = ULP * Arrays.stream(exact).map(Math::abs).max().orElseThrow();
    double logs = 0;
    for (int i = 0; i < exact.length; i++) {
      logs += score(Math.abs(fused[i] - exact[i]), Math.abs(rounded[i] - exact[i]), floor);
    }
    assertThat(logs).isLessThanOrEqualTo(0);
  }
}
