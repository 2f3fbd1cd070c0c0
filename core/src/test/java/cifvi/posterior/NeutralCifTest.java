package cifvi.posterior;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.posterior.Posteriors.Kind;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Arrays;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Prop. 3.1: a CIF whose s, t are zero and whose q and r are one density is its plain flow. */
@ExtendWith(NativeScope.class)
class NeutralCifTest {
  private static final long ROWS = 60;
  private static final double PERTURBATION = 0.1;

  static Stream<Kind> kinds() {
    return Arrays.stream(Precision.values()).flatMap(Kind::all);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void elboIsThatOfTheFlowToTheLastDigit(Kind kind) {
    try (Model flow = flow(kind);
        Model cif = Posteriors.neutral(kind, flow)) {
      assertThat(elbo(cif, kind)).containsExactly(elbo(flow, kind));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void densityOfAGivenPointIsThatOfTheFlowToTheLastDigit(Kind kind) {
    try (Model flow = flow(kind);
        Model cif = Posteriors.neutral(kind, flow)) {
      Observation x = Posteriors.observation(kind, ROWS);
      Tensor z = rng(kind).step(1).normal(ROWS, kind.features());
      assertThat(Backend.doubles(cif.posterior().logWeight(z, x, rng(kind))))
          .containsExactly(Backend.doubles(flow.posterior().logWeight(z, x, rng(kind))));
    }
  }

  /** The equalities above are not empty: each of the three conditions is needed. */
  @ParameterizedTest
  @MethodSource("kinds")
  void anyDepartureFromNeutralityShowsInEveryRow(Kind kind) {
    for (String part : new String[] {"st", "q", "r"}) {
      try (Model flow = flow(kind);
          Model cif = Posteriors.neutral(kind, flow)) {
        Posteriors.fillBiases(cif.parameters().flat(), part, 0.05);
        double[] departed = elbo(cif, kind);
        double[] baseline = elbo(flow, kind);
        for (int i = 0; i < ROWS; i++) {
          assertThat(departed[i]).as("row %d with another %s", i, part).isNotEqualTo(baseline[i]);
        }
      }
    }
  }

  private static Model flow(Kind kind) {
    Model flow = Posteriors.flow(kind, 1);
    Posteriors.perturb(flow, PERTURBATION, 3);
    return flow;
  }

  private static double[] elbo(Model model, Kind kind) {
    Observation x = Posteriors.observation(kind, ROWS);
    return Backend.doubles(new Objective.Elbo().value(model, x, rng(kind)));
  }

  private static CounterRng rng(Kind kind) {
    return new CounterRng(Backend.cpu(kind.precision()), 7, Purpose.TRAIN);
  }
}
