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
 * that of eager float32, plus 10⁻⁶ of the norm of the whole gradient, for every tensor.
 */
@ExtendWith(NativeScope.class)
class ParityTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);
  private static final Objective ELBO = new Objective.Elbo();
  private static final long SEED = 3;
  private static final long STEPS = 5;
  private static final double FLOOR = 1e-6;

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(Shape.mog(true, 9), 1000, 2),
        Arguments.of(Shape.mog(false, 9), 1000, 1),
        Arguments.of(Shape.mog(true, 16), 33, 3),
        Arguments.of(Shape.mog(false, 16), 7, 1),
        Arguments.of(Shape.mog(true, 9).withBase(0.1, true, 3), 100, 2),
        Arguments.of(Shape.mog(false, 16).withBase(1, true, 5), 1, 3),
        Arguments.of(Shape.mog(true, 16).withBase(10, false, 3), 100, 1), // far outside the box
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
    static Three of(Case shape) {
      return new Three(shape.build(FLOAT32), shape.build(FLOAT64), shape.build(FLOAT32));
    }

    /** Gives all three the parameters that some training led the fused engine to. */
    void train(int steps, Observation x) {
      try (var engine = new FusedEngine(fused, ELBO, OptionalDouble.of(5), SEED, 1)) {
        for (int i = 0; i < steps; i++) {
          engine.step(i, 5e-3, x);
        }
      }
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

  @ParameterizedTest
  @MethodSource("cases")
  void gradients(Case shape, int samples, int threads) {
    try (var models = Three.of(shape)) {
      assertSameGradients(shape, ELBO, models, samples, threads);
      models.train(40, shape.x(FLOAT32, 100));
      assertSameGradients(shape, ELBO, models, samples, threads);
    }
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
    try (var models = Three.of(shape)) {
      models.train(40, shape.x(FLOAT32, 100));
      assertSameGradients(shape, new Objective.Iwae(5), models, samples, threads);
    }
  }

  /** Over some steps: one step of one engine may be lucky, or unlucky where a relu has its kink. */
  private static void assertSameGradients(
      Case shape, Objective objective, Three models, int samples, int threads) {
    var x = shape.x(FLOAT32, samples);
    var slices = models.eager64.parameters().flat().slices();
    var rounded = new HashMap<String, Double>();
    var fused = new HashMap<String, Double>();
    double norm = 0;
    for (long step = 0; step < STEPS; step++) {
      double[] exact = eager(models.eager64, objective, step, shape.x(FLOAT64, samples));
      merge(rounded, slices, eager(models.eager32, objective, step, x), exact);
      merge(fused, slices, fused(models.fused, objective, step, x, threads), exact);
      norm = Math.max(norm, Math.sqrt(Arrays.stream(exact).map(g -> g * g).sum()));
    }
    double floor = FLOOR * norm;
    rounded.forEach(
        (name, error) ->
            assertThat(fused.get(name)).as(name).isLessThanOrEqualTo(2 * error + floor));
  }

  private static void merge(
      Map<String, Double> errors, Map<String, Slice> slices, double[] actual, double[] exact) {
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

  private static double[] fused(
      Model model, Objective objective, long step, Observation x, int threads) {
    try (var engine = new FusedEngine(model, objective, OptionalDouble.empty(), SEED, threads)) {
      engine.step(step, 0, x);
      return Backend.doubles(model.parameters().flat().gradient());
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

  /** Draws, their log-weights, and the log-weights of paths back from them. */
  @ParameterizedTest
  @MethodSource("cases")
  void logWeights(Case shape, int samples, int threads) {
    try (var models = Three.of(shape)) {
      models.train(40, shape.x(FLOAT32, 100));
      try (var fused = new FusedLogWeights(models.fused, threads)) {
        int rows = samples + (shape instanceof Shape ? 500 : 0); // enough rows for a mean
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
  }

  private static CounterRng rng(Backend backend) {
    return new CounterRng(backend, SEED, Purpose.EVALUATE).step(4).fromRow(13);
  }

  private static void assertAsExact(double[] fused, double[] rounded, double[] exact) {
    double size = 0;
    for (double value : exact) {
      size = Math.max(size, Math.abs(value));
    }
    assertThat(error(fused, exact, 0, exact.length))
        .isLessThanOrEqualTo(2 * error(rounded, exact, 0, exact.length) + FLOOR * size);
  }
}
