package cifvi.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.OptionalDouble;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every engine makes of a target that a user wrote: the same numbers, or a refusal. */
@ExtendWith(NativeScope.class)
class OwnTargetTest {
  private static final Backend CPU = Backend.cpu(Precision.FLOAT32);
  private static final Observation X = Observation.none(50);

  private static Model model(Backend backend, Target target) {
    Model mixture = Shape.mog(true, 9).withBase(1, true, 3).build(backend, 1);
    return new Model(mixture.posterior(), target, mixture.parameters());
  }

  /** -|z|²/2 in float64, whatever z is. */
  private static Tensor inDoubles(Tensor z) {
    Tensor exact = z.to(ScalarType.Double);
    return exact.mul(exact).sum(1).mul(Scalars.of(-0.5));
  }

  private static StepInfo step(Engines.Kind kind, Model model) {
    var options = new StepOptions(OptionalDouble.of(5), 1, 1);
    try (var engine = Engines.start(kind, model, new Objective.Elbo(), options)) {
      StepInfo first = engine.step(0, 1e-3, X);
      assertThat(first.applied()).isTrue();
      return engine.step(1, 1e-3, X);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EAGER", "FUSED"})
  void mayComputeInFloat64(Engines.Kind kind) {
    computesInFloat64(kind, CPU);
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource(names = {"EAGER", "GRAPH"})
  void mayComputeInFloat64OnTheDevice(Engines.Kind kind) {
    computesInFloat64(kind, Backend.of("cuda", Precision.FLOAT32));
  }

  private static void computesInFloat64(Engines.Kind kind, Backend backend) {
    try (Model plain = model(backend, (_, z) -> z.mul(z).sum(1).mul(Scalars.of(-0.5)));
        Model doubles = model(backend, (_, z) -> inDoubles(z))) {
      StepInfo expected = step(kind, plain);
      StepInfo actual = step(kind, doubles);
      assertThat(actual.objective()).isCloseTo(expected.objective(), within(1e-5));
      assertThat(actual.gradientNorm()).isCloseTo(expected.gradientNorm(), within(1e-4));
    }
    try (Model doubles = model(backend, (_, z) -> inDoubles(z));
        var weights = Engines.logWeights(kind, doubles, 1)) {
      var draws = weights.draw(X, 1, new CounterRng(backend, 1, Purpose.EVALUATE));
      for (int i = 0; i < draws.delta().length; i++) {
        double x = draws.z()[2 * i];
        double y = draws.z()[2 * i + 1];
        assertThat(draws.logJoint()[i]).isCloseTo(-(x * x + y * y) / 2, within(1e-5));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EAGER", "FUSED"})
  void mustNotBeDetachedFromZ(Engines.Kind kind) {
    refused(kind, CPU);
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource(names = {"EAGER", "GRAPH"})
  void mustNotBeDetachedFromZOnTheDevice(Engines.Kind kind) {
    refused(kind, Backend.of("cuda", Precision.FLOAT32));
  }

  private static void refused(Engines.Kind kind, Backend backend) {
    assertRefused(kind, model(backend, (_, z) -> inDoubles(z.detach())));
    assertRefused(kind, detachedWithParameters(backend));
  }

  /** It has a gradient, though only in a parameter of the model. */
  private static Model detachedWithParameters(Backend backend) {
    Model model = model(backend, (_, z) -> z.sum(1));
    Tensor learnt = ((NormalBase) model.posterior().base()).logStd();
    return new Model(
        model.posterior(), (_, z) -> z.detach().mul(learnt).sum(1), model.parameters());
  }

  private static void assertRefused(Engines.Kind kind, Model model) {
    try (model) {
      assertThatThrownBy(() -> step(kind, model))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("target: log p(x, z) has no gradient in z");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EAGER", "FUSED"})
  void mustGiveOneRealNumberForEachRow(Engines.Kind kind) {
    try (Model integers = model(CPU, (_, z) -> z.sum(1).to(ScalarType.Long));
        Model matrix = model(CPU, (_, z) -> z)) {
      assertThatThrownBy(() -> step(kind, integers))
          .hasMessage("target: expected real numbers, got dtype Long");
      assertThatThrownBy(() -> step(kind, matrix)).hasMessage("target: expected [50], got [50, 2]");
    }
  }
}
