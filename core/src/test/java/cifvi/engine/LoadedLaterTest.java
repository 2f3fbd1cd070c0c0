package cifvi.engine;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Parameters that are loaded when an engine has been made already are the ones it uses, buffers
 * such as permutations and σ₀ included: the numbers are those of an engine made afterwards.
 */
@ExtendWith(NativeScope.class)
public class LoadedLaterTest {
  private static final Backend CPU = Backend.cpu(Precision.FLOAT32);
  private static final Observation X = Observation.none(50);

  /** A model whose permutations and σ₀ differ from those of {@link #other}. */
  public static Model model(Backend backend) {
    return Shape.of(5, 4, false).withBase(1, false, 3).build(backend, 1);
  }

  public static Model other(Backend backend) {
    return Shape.of(5, 4, false).withBase(0.5, false, 3).build(backend, 2);
  }

  @ParameterizedTest
  @EnumSource(names = {"EAGER", "FUSED"})
  void estimates(Engines.Kind kind) {
    estimates(kind, CPU);
  }

  @ParameterizedTest
  @EnumSource(names = {"EAGER", "FUSED"})
  void steps(Engines.Kind kind) {
    steps(kind, CPU);
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource(names = {"EAGER", "GRAPH"})
  void onTheDevice(Engines.Kind kind) {
    estimates(kind, Backend.of("cuda", Precision.FLOAT32));
    steps(kind, Backend.of("cuda", Precision.FLOAT32));
  }

  private static void estimates(Engines.Kind kind, Backend backend) {
    try (Model model = model(backend);
        Model loaded = other(backend);
        LogWeights early = Engines.logWeights(kind, model, 1);
        LogWeights late = Engines.logWeights(kind, loaded, 1)) {
      assertEarlyIsLate(model, early, loaded, late);
    }
  }

  /** Draws before and after the second model's parameters are loaded into the first. */
  public static void assertEarlyIsLate(
      Model model, LogWeights early, Model loaded, LogWeights late) {
    var backend = model.parameters().backend();
    var rng = new CounterRng(backend, 7, Purpose.EVALUATE);
    for (int i = 0; i < 3; i++) { // an engine may capture a shape when it comes again
      assertThat(early.draw(X, 2, rng).delta()).isNotEqualTo(late.draw(X, 2, rng).delta());
    }
    model.parameters().load(loaded.parameters().state());
    var expected = late.draw(X, 2, rng);
    var actual = early.draw(X, 2, rng);
    assertThat(actual.z()).isEqualTo(expected.z());
    assertThat(actual.delta()).isEqualTo(expected.delta());
    assertThat(actual.logJoint()).isEqualTo(expected.logJoint());
    assertThat(early.backward(expected.z(), X.repeat(2), 3, rng))
        .isEqualTo(late.backward(expected.z(), X.repeat(2), 3, rng));
  }

  private static void steps(Engines.Kind kind, Backend backend) {
    var options = new StepOptions(OptionalDouble.of(5), 1, 2);
    try (Model model = model(backend);
        Model loaded = other(backend);
        var early = Engines.start(kind, model, new Objective.Elbo(), options);
        var late = Engines.start(kind, loaded, new Objective.Elbo(), options)) {
      early.step(0, 0, X);
      model.parameters().load(loaded.parameters().state());
      for (int i = 0; i < 3; i++) {
        StepInfo expected = late.step(i, 0, X);
        assertThat(early.step(i, 0, X)).isEqualTo(expected);
      }
    }
  }
}
