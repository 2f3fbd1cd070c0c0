package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.LoadedLaterTest;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded evaluations, on the processor and captured, against eager ones with noise from Java. */
@ExtendWith(NativeScope.class)
class GraphLogWeightsTest {
  private static final double ROUNDING = 1e-9;

  static List<Case> shapes() {
    return List.of(
        Shape.mog(true, 9),
        Shape.of(5, 4, false),
        new ImageShape(Flow.SPLINE, true, 8, 2, 19, 4),
        new ImageShape(Flow.AFFINE_AND_BATCH_NORM, false, 8, 2, 19, 4));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void numbersAreThoseOfTheModel(Case shape) {
    var backend = Backend.cpu(Precision.FLOAT64);
    Launcher launcher = HostKernels.of(Precision.FLOAT64);
    try (Model model = shape.build(backend);
        var weights = new GraphLogWeights(model, launcher, null, HostRecording::of)) {
      assertNumbersAreThoseOfTheModel(shape, model, weights);
    }
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource("shapes")
  void capturedNumbersAreThoseOfTheModel(Case shape) {
    try (Model model = shape.build(Backend.of("cuda", Precision.FLOAT64));
        var weights = new GraphLogWeights(model)) {
      assertNumbersAreThoseOfTheModel(shape, model, weights);
    }
  }

  private static void assertNumbersAreThoseOfTheModel(
      Case shape, Model model, GraphLogWeights graph) {
    var backend = model.parameters().backend();
    var eager = LogWeights.eager(model);
    double largest = 0;
    for (int i = 0; i < 12; i++) {
      Observation x = shape.x(backend, i % 4 == 3 ? 17 : 50); // the first of a shape is eager
      var purpose = i % 2 == 0 ? Purpose.EVALUATE : Purpose.LIKELIHOOD;
      var rng = new CounterRng(backend, 7 + i / 6, purpose).step(i / 3).fromRow(50L * i);
      var expected = eager.draw(x, 2, rng);
      var actual = graph.draw(x, 2, rng);
      assertThat(actual.z()).containsExactly(expected.z(), within(ROUNDING));
      assertThat(actual.delta()).containsExactly(expected.delta(), within(ROUNDING));
      assertThat(actual.logJoint()).containsExactly(expected.logJoint(), within(1e3 * ROUNDING));
      double[] back = graph.backward(expected.z(), x.repeat(2), 3, rng);
      double[] path = eager.backward(expected.z(), x.repeat(2), 3, rng);
      assertThat(back).containsExactly(path, within(1e3 * ROUNDING));
      for (int j = 0; j < back.length; j++) {
        largest = Math.max(largest, Math.abs(back[j] - path[j]));
      }
    }
    System.out.printf("%s: paths back differ by %.2g%n", shape, largest);
  }

  /** A resumed run validates by its first pass where the other one replays. */
  @ParameterizedTest
  @MethodSource("shapes")
  void theFirstDrawsHaveTheBitsOfLaterOnes(Case shape) {
    var backend = Backend.cpu(Precision.FLOAT32);
    try (Model model = shape.build(backend);
        var weights =
            new GraphLogWeights(
                model,
                HostKernels.of(Precision.FLOAT32),
                HostKernels.program(),
                HostRecording::of)) {
      assertFirstDrawsHaveTheBitsOfLaterOnes(shape, backend, weights);
    }
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource("shapes")
  void theFirstDrawsOnADeviceHaveTheBitsOfLaterOnes(Case shape) {
    var backend = Backend.of("cuda", Precision.FLOAT32);
    try (Model model = shape.build(backend);
        var weights = new GraphLogWeights(model)) {
      assertFirstDrawsHaveTheBitsOfLaterOnes(shape, backend, weights);
    }
  }

  private static void assertFirstDrawsHaveTheBitsOfLaterOnes(
      Case shape, Backend backend, GraphLogWeights weights) {
    for (int rows = 3; rows < 12; rows++) { // more shapes than are captured
      Observation x = shape.x(backend, rows);
      var rng = new CounterRng(backend, 7, Purpose.EVALUATE).step(rows);
      LogWeights.Draws first = weights.draw(x, 2, rng);
      for (int later = 0; later < 2; later++) {
        LogWeights.Draws again = weights.draw(x, 2, rng);
        assertThat(again.z()).containsExactly(first.z());
        assertThat(again.delta()).containsExactly(first.delta());
        assertThat(again.logJoint()).containsExactly(first.logJoint());
      }
    }
  }

  /** With kernels that hold copies of permutations and σ₀. */
  @Test
  void usesParametersThatAreLoadedLater() {
    var backend = Backend.cpu(Precision.FLOAT32);
    Launcher launcher = HostKernels.of(Precision.FLOAT32);
    Launcher program = HostKernels.program();
    try (Model model = LoadedLaterTest.model(backend);
        Model loaded = LoadedLaterTest.other(backend);
        var early = new GraphLogWeights(model, launcher, program, HostRecording::of);
        var late = new GraphLogWeights(loaded, launcher, program, HostRecording::of)) {
      LoadedLaterTest.assertEarlyIsLate(model, early, loaded, late);
    }
  }
}
