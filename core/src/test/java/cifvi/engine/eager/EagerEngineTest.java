package cifvi.engine.eager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One step: its gradient is that of the objective, clipped as asked, and its noise is its own. */
@ExtendWith(NativeScope.class)
class EagerEngineTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final Kind KIND = new Kind(Flow.NSF, Placement.PAPER, false, Precision.FLOAT64);
  private static final Observation X = Observation.none(20);

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64);
  }

  /** Against central differences in random directions. */
  @ParameterizedTest
  @MethodSource("kinds")
  void gradientIsThatOfTheObjective(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1);
        var engine = engine(model, OptionalDouble.empty())) {
      Observation x = Posteriors.observation(kind, 5);
      engine.step(0, 0, x);
      double[] gradient = Backend.doubles(model.parameters().flat().gradient());
      for (int direction = 0; direction < 3; direction++) {
        double[] v = rng().step(direction).normals(1, gradient.length);
        double expected = (elbo(model, x, v, 1e-6) - elbo(model, x, v, -1e-6)) / 2e-6;
        double actual = 0;
        for (int i = 0; i < v.length; i++) {
          actual -= gradient[i] * v[i]; // the loss is minus the objective
        }
        // rounding 600·10⁻¹⁶/10⁻⁶, kinks of relu and the h² of the difference
        assertThat(actual).isCloseTo(expected, within(1e-4 * Math.max(1, Math.abs(expected))));
      }
    }
  }

  @Test
  void gradientIsClippedToTheGivenNorm() {
    double norm = norm(OptionalDouble.empty()).gradientNorm();
    assertThat(norm).isGreaterThan(1);
    for (double clip : new double[] {0.5, 2 * norm}) {
      try (Model model = Posteriors.cif(KIND, 1);
          var engine = engine(model, OptionalDouble.of(clip))) {
        assertThat(engine.step(0, 1e-3, X).gradientNorm()).isEqualTo(norm);
        double[] clipped = Backend.doubles(model.parameters().flat().gradient());
        double expected = Math.min(norm, clip * norm / (norm + 1e-6));
        assertThat(Math.sqrt(Arrays.stream(clipped).map(g -> g * g).sum()))
            .isCloseTo(expected, within(1e-10));
      }
    }
  }

  @Test
  void objectiveIsTheMeanOverTheBatchWithTheNoiseOfTheStep() {
    try (Model model = Posteriors.cif(KIND, 1);
        var engine = engine(model, OptionalDouble.empty())) {
      StepInfo seventh = engine.step(7, 1e-9, X);
      try (Model same = Posteriors.cif(KIND, 1)) {
        double[] rows = Backend.doubles(new Objective.Elbo().value(same, X, train(same).step(7)));
        assertThat(seventh.objective())
            .isCloseTo(Arrays.stream(rows).average().orElseThrow(), within(1e-12));
      }
    }
  }

  private static StepInfo norm(OptionalDouble clip) {
    try (Model model = Posteriors.cif(KIND, 1);
        var engine = engine(model, clip)) {
      return engine.step(0, 1e-3, X);
    }
  }

  /** The mean ELBO with the noise of step 0 and the parameters moved by h v. */
  private static double elbo(Model model, Observation x, double[] v, double h) {
    var flat = model.parameters().flat();
    double[] moved = Arrays.stream(v).map(d -> h * d).toArray();
    flat.update(() -> flat.values().add_(BACKEND.tensor(moved, moved.length)));
    double elbo = new Objective.Elbo().value(model, x, train(model)).mean().item_double();
    flat.update(() -> flat.values().sub_(BACKEND.tensor(moved, moved.length)));
    return elbo;
  }

  private static EagerEngine engine(Model model, OptionalDouble clip) {
    return EagerEngine.seeded(model, new Objective.Elbo(), new StepOptions(clip, 81, 1));
  }

  private static CounterRng train(Model model) {
    return new CounterRng(model.parameters().backend(), 81, Purpose.TRAIN);
  }

  private static CounterRng rng() {
    return new CounterRng(BACKEND, 82, Purpose.SAMPLE);
  }
}
