package cifvi.engine.internal.fused;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.bijection.LuLinear;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.nn.Parameters;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads share kernels, also those that keep what is the same for all rows of a step: the matrices
 * of an LU map, the statistics of a batch norm. What a row gives has the same bits on any of them.
 */
@ExtendWith(NativeScope.class)
class KernelThreadsTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final int ROWS = 1000; // seven blocks
  private static final int THREADS = 4;

  static Stream<Case> cases() {
    return Stream.of(
        new LuMaps(40, 6),
        new Affine(5, 20, true),
        new ImageShape(ImageShape.Flow.SPLINE, true, 3, 1, 5, 4),
        LargeDecoderShape.vae(1));
  }

  /** Next to nothing but LU maps, so that threads are in their kernels at the same time. */
  private record LuMaps(int features, int layers) implements Case {
    @Override
    public Model build(Backend backend, long seed) {
      var parameters = new Parameters(backend, seed);
      List<Layer> all = new ArrayList<>();
      for (int i = 0; i < layers; i++) {
        all.add(new FlowLayer(new LuLinear(parameters.in("layers." + i), features)));
      }
      double[][] covariance = new double[features][features];
      for (int i = 0; i < features; i++) {
        covariance[i][i] = 1;
      }
      var target =
          new MixtureTarget(
              backend, new double[] {1}, new double[1][features], new double[][][] {covariance});
      var base = NormalBase.create(parameters.in("base"), features, 1, false);
      return new Model(new Posterior(base, all), target, parameters);
    }

    @Override
    public Observation x(Backend backend, int rows) {
      return Observation.none(rows);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void logWeightsBothWaysAreThoseOfOneThread(Case shape) {
    try (Model model = shape.build(FLOAT32);
        var one = new FusedLogWeights(model, 1);
        var many = new FusedLogWeights(model, THREADS)) {
      for (int step = 0; step < 20; step++) {
        var expected = numbers(one, shape, step);
        var actual = numbers(many, shape, step);
        for (int i = 0; i < expected.size(); i++) {
          assertThat(actual.get(i)).containsExactly(expected.get(i));
        }
      }
    }
  }

  private static List<double[]> numbers(LogWeights weights, Case shape, int step) {
    var rng = new CounterRng(FLOAT32, 1, Purpose.EVALUATE).step(step);
    var x = shape.x(FLOAT32, ROWS);
    var draws = weights.draw(x, 1, rng);
    return List.of(
        draws.z(), draws.delta(), draws.logJoint(), weights.backward(draws.z(), x, 1, rng));
  }

  /** Parameters rest, so that steps differ by their noise alone. */
  @ParameterizedTest
  @MethodSource("cases")
  void statisticsOfABatchAreThoseOfOneThread(Case shape) {
    try (Model one = shape.build(FLOAT32);
        Model many = shape.build(FLOAT32);
        var engine = engine(one, 1);
        var threaded = engine(many, THREADS)) {
      for (int step = 0; step < 20; step++) {
        double expected = engine.step(step, 0, shape.x(FLOAT32, ROWS)).objective();
        double actual = threaded.step(step, 0, shape.x(FLOAT32, ROWS)).objective();
        assertThat((float) actual).isEqualTo((float) expected); // sums of float64, in other order
        assertThat(buffers(many)).isEqualTo(buffers(one));
      }
    }
  }

  private static FusedEngine engine(Model model, int threads) {
    var options = new StepOptions(OptionalDouble.empty(), 1, threads);
    return new FusedEngine(model, new Objective.Elbo(), options);
  }

  private static List<List<Double>> buffers(Model model) {
    return model.parameters().buffers().values().stream()
        .map(t -> DoubleStream.of(Backend.doubles(t)).boxed().toList())
        .toList();
  }
}
