package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.nn.Parameters;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user gave wrongly is named in one line: the argument, what was expected, what came. */
@ExtendWith(NativeScope.class)
class MessagesTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);

  @ParameterizedTest
  @ValueSource(ints = {0, -2})
  void numberOfImportanceSamples(int k) {
    assertMessage(() -> new Objective.Iwae(k), "k: expected at least 1, got " + k);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 0, Double.NaN, Double.POSITIVE_INFINITY})
  void clip(double clip) {
    assertMessage(
        () -> new StepOptions(OptionalDouble.of(clip), 1, 1),
        "clip: expected a positive number, got " + clip);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -2})
  void threads(int threads) {
    String message = "threads: expected at least 1, got " + threads;
    assertMessage(() -> new StepOptions(OptionalDouble.empty(), 1, threads), message);
    try (Model model = model(false)) {
      for (var kind : Engines.Kind.values()) {
        assertMessage(() -> Engines.logWeights(kind, model, threads), message);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void sigma0(double sigma0) {
    assertMessage(
        () -> NormalBase.create(new Parameters(BACKEND, 0), 2, sigma0, false),
        "sigma0: expected a positive number, got " + sigma0);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 1, 0, -4})
  void components(int components) {
    assertMessage(
        () -> MixtureTarget.lattice(BACKEND, components, 2, 0.25),
        "components: expected a square number from 4 on, got " + components);
  }

  @Test
  void paperComponents() {
    assertMessage(
        () -> MixtureTarget.paper(BACKEND, 10),
        "components: expected a square number from 4 on, got 10");
  }

  @Test
  void covariance() {
    assertMessage(
        mixture(1, new double[][] {{1, 2}, {2, 1}}),
        "covariances[0]: expected a positive definite matrix, got [[1.0, 2.0], [2.0, 1.0]]");
    assertMessage(
        mixture(1, new double[][] {{1, 0.5}, {0, 1}}),
        "covariances[0]: expected a symmetric matrix, got [[1.0, 0.5], [0.0, 1.0]]");
    assertMessage(
        mixture(1, new double[][] {{1}}), "covariances[0]: expected a 2 x 2 matrix, got [[1.0]]");
  }

  @Test
  void weight() {
    assertMessage(
        mixture(0, new double[][] {{1, 0}, {0, 1}}),
        "weights[0]: expected a positive number, got 0.0");
  }

  @Test
  void observationOfAnAmortisedPosterior() {
    try (Model model = model(true)) {
      var rng = new CounterRng(BACKEND, 0, Purpose.EVALUATE);
      Consumer<ThrowingCallable> refused =
          call -> assertMessage(call, "x: expected a batch of data, got no observation");
      refused.accept(() -> model.posterior().sample(Observation.none(3), rng));
      refused.accept(() -> new Objective.Elbo().value(model, Observation.none(3), rng));
      refused.accept(
          () ->
              new ForwardWeights(model, 10, Progress.SILENT)
                  .logLikelihood(Observation.none(3), 2, rng));
    }
  }

  @Test
  void shapeOfTheObservation() {
    try (Model model = model(true)) {
      var rng = new CounterRng(BACKEND, 0, Purpose.EVALUATE);
      assertMessage(
          () -> model.posterior().sample(Observation.of(BACKEND.zeros(3, 784)), rng),
          "x: expected [batch, 1, 28, 28], got [3, 784]");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void importanceSamples(long samples) {
    try (Model model = model(false)) {
      var rng = new CounterRng(BACKEND, 0, Purpose.EVALUATE);
      assertMessage(
          () ->
              new ForwardWeights(model, 10, Progress.SILENT)
                  .logLikelihood(Observation.none(3), samples, rng),
          "draws a row: expected at least 1, got " + samples);
    }
  }

  private static ThrowingCallable mixture(double weight, double[][] covariance) {
    return () ->
        new MixtureTarget(
            BACKEND, new double[] {weight}, new double[][] {{0, 0}}, new double[][][] {covariance});
  }

  private static Model model(boolean amortised) {
    return Posteriors.cif(new Kind(Flow.NSF, Placement.PAPER, amortised, Precision.FLOAT64), 1);
  }

  private static void assertMessage(ThrowingCallable call, String message) {
    assertThat(catchThrowableOfType(IllegalArgumentException.class, call))
        .as(message)
        .isNotNull()
        .hasMessage(message);
  }
}
