package cifvi.engine.internal.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import jdk.incubator.vector.FloatVector;
import org.bytedeco.pytorch.Scalar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step: the same bits for the same threads, clipping and Adam as in eager, no garbage. */
@ExtendWith(NativeScope.class)
class FusedEngineTest {
  private static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  private static final Shape SHAPE = Shape.mog(true, 9);
  private static final Case IMAGES =
      new ImageShape(ImageShape.Flow.AFFINE_AND_BATCH_NORM, true, 5, 2, 7, 4);
  private static final Case NORMALISED = new Affine(5, 20, true);
  private static final Case VAE = new ImageShape(ImageShape.Flow.SPLINE, false, 5, 0, 1, 4);

  private static double[] trained(Case shape, int threads, int steps, OptionalDouble clip) {
    try (Model model = shape.build(FLOAT32);
        var engine =
            new FusedEngine(model, new Objective.Elbo(), new StepOptions(clip, 1, threads))) {
      for (int i = 0; i < steps; i++) {
        engine.step(i, 1e-3, shape.x(FLOAT32, 233));
      }
      return Backend.doubles(model.parameters().flat().values());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void sameThreadsSameBits(int threads) {
    for (Case shape : List.of(SHAPE, IMAGES, VAE)) {
      assertThat(trained(shape, threads, 20, OptionalDouble.of(5)))
          .isEqualTo(trained(shape, threads, 20, OptionalDouble.of(5)));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 5, 1e6})
  void stepsAreThoseOfTheEagerEngine(double clip) {
    try (var twins = Twins.of(SHAPE, FLOAT32, 5);
        var eager =
            EagerEngine.seeded(
                twins.exact(),
                new Objective.Elbo(),
                new StepOptions(OptionalDouble.of(clip), 1, 1))) {
      for (int i = 0; i < 5; i++) {
        eager.step(i, 1e-3, Observation.none(233));
      }
      double[] expected = Backend.doubles(twins.exact().parameters().flat().values());
      double[] actual = trained(SHAPE, 2, 5, OptionalDouble.of(clip));
      for (int i = 0; i < expected.length; i++) {
        // Adam moves by the sign of a gradient that is near zero
        assertThat(actual[i]).isBetween(expected[i] - 1e-3, expected[i] + 1e-3);
      }
      assertThat(meanDifference(actual, expected)).isLessThan(1e-6);
    }
  }

  private static double meanDifference(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += Math.abs(a[i] - b[i]);
    }
    return sum / a.length;
  }

  @Test
  void aStepThatIsNotFiniteChangesNothing() {
    try (Model model = SHAPE.build(FLOAT32);
        var engine =
            new FusedEngine(
                model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 1, 2))) {
      var flat = model.parameters().flat();
      flat.update(() -> flat.values().mul_(new Scalar(1e30)));
      double[] before = Backend.doubles(flat.values());
      assertThat(engine.step(0, 1e-3, Observation.none(50)).applied()).isFalse();
      assertThat(Backend.doubles(flat.values())).isEqualTo(before);
      assertThat(engine.optimiser().updates()).isZero();
    }
  }

  /** The running averages take in the batches of steps that were applied, and no others. */
  @Test
  void batchNormRemembersWhatTheEagerEngineDoes() {
    try (var twins = Twins.of(NORMALISED, FLOAT32, 5);
        var eager =
            EagerEngine.seeded(
                twins.exact(),
                new Objective.Elbo(),
                new StepOptions(OptionalDouble.empty(), 1, 1));
        var fused =
            new FusedEngine(
                twins.own(), new Objective.Elbo(), new StepOptions(OptionalDouble.empty(), 1, 2))) {
      Model fusedModel = twins.own();
      for (int i = 0; i < 5; i++) {
        eager.step(i, 0, Observation.none(233)); // Adam would follow the signs of rounding errors
        fused.step(i, 0, Observation.none(233));
      }
      assertThat(buffers(fusedModel)).containsExactly(buffers(twins.exact()), within(1e-5));
      var flat = fusedModel.parameters().flat();
      flat.update(() -> flat.values().mul_(new Scalar(1e30)));
      double[] before = buffers(fusedModel);
      assertThat(fused.step(5, 1e-3, Observation.none(50)).applied()).isFalse();
      assertThat(buffers(fusedModel)).isEqualTo(before);
    }
  }

  private static double[] buffers(Model model) {
    return model.parameters().buffers().values().stream()
        .flatMapToDouble(buffer -> Arrays.stream(Backend.doubles(buffer)))
        .toArray();
  }

  /** Draws that share an image share its encoder. */
  @Test
  void drawsOfOneImageAreThoseOfItsCopies() {
    try (Model model = IMAGES.build(FLOAT32);
        var weights = new FusedLogWeights(model, 2)) {
      var rng = new CounterRng(FLOAT32, 3, Purpose.LIKELIHOOD);
      for (int times : new int[] {1, 7, 200}) {
        var x = IMAGES.x(FLOAT32, 3);
        var shared = weights.draw(x, times, rng);
        var copied = weights.draw(x.repeat(times), 1, rng);
        assertThat(shared.z()).isEqualTo(copied.z());
        assertThat(shared.delta()).isEqualTo(copied.delta());
      }
    }
  }

  /**
   * In a JVM of its own: where kernels with sixteen lanes have run, the compiler makes objects of
   * some vectors of eight.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aStepAllocatesNothing(int shape) throws IOException, InterruptedException {
    var narrow = Coverage.ofVectors(FloatVector.SPECIES_PREFERRED.vectorBitSize());
    assumeTrue(narrow.isEmpty(), () -> narrow.orElse("") + ", others are objects");
    var process = BitsTest.run(List.of(), StepAllocation.class, Integer.toString(shape));
    assertThat(Long.parseLong(BitsTest.output(process)))
        .as("bytes a step, all kernels compiled")
        .isLessThan(StepAllocation.MAX_BYTES_A_STEP);
  }
}
