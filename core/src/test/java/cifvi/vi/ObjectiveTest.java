package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Kind;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bounds against Algorithm 1 written out draw by draw. */
@ExtendWith(NativeScope.class)
class ObjectiveTest {
  /** Rounding of float64, for bounds of up to some 600 nats. */
  private static final double ROUNDING = 1e-10;

  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final long ROWS = 6;
  private static final int K = 5;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void elboIsDeltaPlusLogJoint(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, ROWS);
      var draw = model.posterior().sample(x, rng());
      double[] delta = Backend.doubles(draw.delta());
      double[] logP = Backend.doubles(model.target().logJoint(x, draw.z()));
      double[] elbo = Backend.doubles(new Objective.Elbo().value(model, x, rng()));
      for (int i = 0; i < ROWS; i++) {
        assertThat(elbo[i]).isEqualTo(delta[i] + logP[i]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void importanceWeightedBoundWithOneDrawIsTheElbo(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, ROWS);
      assertThat(Backend.doubles(new Objective.Iwae(1).value(model, x, rng())))
          .containsExactly(
              Backend.doubles(new Objective.Elbo().value(model, x, rng())), within(ROUNDING));
    }
  }

  /** Draw k of row i has the noise of global row i K + k and sees x_i. */
  @ParameterizedTest
  @MethodSource("kinds")
  void importanceWeightedBoundIsTheLogMeanOfAdjacentDraws(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, ROWS);
      double[] expected = new double[(int) ROWS];
      for (int i = 0; i < ROWS; i++) {
        var mean = new LogMeanExp();
        for (int k = 0; k < K; k++) {
          mean.add(elbo(model, x.slice(i, 1), rng().fromRow((long) i * K + k)));
        }
        expected[i] = mean.value();
      }
      assertThat(Backend.doubles(new Objective.Iwae(K).value(model, x, rng())))
          .containsExactly(expected, within(ROUNDING));
    }
  }

  private static double elbo(Model model, Observation x, CounterRng rng) {
    return new Objective.Elbo().value(model, x, rng).item_double();
  }

  private static CounterRng rng() {
    return new CounterRng(BACKEND, 51, Purpose.TRAIN);
  }
}
