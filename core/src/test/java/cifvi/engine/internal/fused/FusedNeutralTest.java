package cifvi.engine.internal.fused;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.nn.FlatParameters;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Kind;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.LogWeights.Draws;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Prop. 3.1 by kernels: a neutral CIF is its plain flow to the last digit. */
@ExtendWith(NativeScope.class)
class FusedNeutralTest {
  private static final Observation X = Observation.none(233);

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT32).filter(kind -> !kind.amortised());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void logWeightsAreThoseOfTheFlow(Kind kind) {
    try (Model flow = flow(kind);
        Model cif = Posteriors.neutral(kind, flow);
        var flowWeights = new FusedLogWeights(flow, 2);
        var cifWeights = new FusedLogWeights(cif, 2)) {
      Draws expected = flowWeights.draw(X, 1, rng());
      Draws draws = cifWeights.draw(X, 1, rng());
      assertThat(draws.z()).containsExactly(expected.z());
      assertThat(draws.delta()).containsExactly(expected.delta());
      assertThat(draws.logJoint()).containsExactly(expected.logJoint());
      assertThat(cifWeights.backward(draws.z(), X, 2, rng()))
          .containsExactly(flowWeights.backward(draws.z(), X, 2, rng()));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void stepsAreThoseOfTheFlow(Kind kind) {
    try (Model flow = flow(kind);
        Model cif = Posteriors.neutral(kind, flow)) {
      assertThat(step(cif).objective()).isEqualTo(step(flow).objective());
      FlatParameters of = flow.parameters().flat();
      FlatParameters in = cif.parameters().flat();
      assertThat(of.slices().keySet())
          .allSatisfy(
              name ->
                  assertThat(Backend.doubles(in.view(in.gradient(), name)))
                      .containsExactly(Backend.doubles(of.view(of.gradient(), name))));
    }
  }

  private static StepInfo step(Model model) {
    try (var engine =
        new FusedEngine(
            model, new Objective.Elbo(), new StepOptions(OptionalDouble.empty(), 1, 2))) {
      return engine.step(0, 0, X);
    }
  }

  private static Model flow(Kind kind) {
    Model flow = Posteriors.flow(kind, 1);
    Posteriors.perturb(flow, 0.1, 3);
    return flow;
  }

  private static CounterRng rng() {
    return new CounterRng(Backend.cpu(Precision.FLOAT32), 7, Purpose.TRAIN);
  }
}
