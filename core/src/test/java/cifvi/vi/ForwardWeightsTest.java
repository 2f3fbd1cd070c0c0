package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import java.util.ArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The estimators over forward draws against a loop over single draws, whatever the chunks. */
@ExtendWith(NativeScope.class)
class ForwardWeightsTest {
  /** Rounding of float64, for log-weights of up to some 600 nats. */
  private static final double ROUNDING = 1e-10;

  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final int ROWS = 5;
  private static final int SAMPLES = 9;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64);
  }

  /** Draw s of row i has the noise of global row i S + s and sees x_i. */
  @ParameterizedTest
  @MethodSource("kinds")
  void estimatesAreThoseOfSingleDraws(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, ROWS);
      var all = new Moments();
      var rows = new LogMeanExp[ROWS];
      for (int i = 0; i < ROWS; i++) {
        rows[i] = new LogMeanExp();
        for (int s = 0; s < SAMPLES; s++) {
          double w = weight(model, x.slice(i, 1), rng().fromRow((long) i * SAMPLES + s));
          all.add(w);
          rows[i].add(w);
        }
      }
      for (long maxDraws : new long[] {4, 20, 10_000}) {
        var weights = new ForwardWeights(model, maxDraws, Progress.SILENT);
        assertSame(weights.auxiliaryElbo(x, SAMPLES, rng()), all.estimate());
        LogMeanExp[] logLikelihoods = weights.logLikelihoods(x, SAMPLES, rng());
        var mean = new Moments();
        for (int i = 0; i < ROWS; i++) {
          assertSame(logLikelihoods[i].estimate(), rows[i].estimate());
          mean.add(rows[i].value());
        }
        assertSame(weights.logLikelihood(x, SAMPLES, rng()), mean.estimate());
      }
    }
  }

  @Test
  void progressReachesTheTotalAndCanStop() {
    var reports = new ArrayList<Long>();
    Observation x = Observation.none(ROWS);
    new ForwardWeights(small(), 20, (draws, total) -> total == 45 && reports.add(draws))
        .auxiliaryElbo(x, SAMPLES, rng());
    assertThat(reports).containsExactly(18L, 36L, 45L);
    var stopping = new ForwardWeights(small(), 20, (draws, _) -> draws < 36);
    assertThatThrownBy(() -> stopping.logLikelihood(x, SAMPLES, rng()))
        .isInstanceOf(Progress.StoppedException.class);
  }

  private static double weight(Model model, Observation x, CounterRng rng) {
    return new Objective.Elbo().value(model, x, rng).item_double();
  }

  private static Model small() {
    return Posteriors.cif(new Kind(Flow.NSF, Placement.PAPER, false, Precision.FLOAT64), 1);
  }

  private static void assertSame(Estimate actual, Estimate expected) {
    assertThat(actual.mean()).isCloseTo(expected.mean(), within(ROUNDING));
    assertThat(actual.standardError()).isCloseTo(expected.standardError(), within(ROUNDING));
    assertThat(actual.count()).isEqualTo(expected.count());
  }

  private static CounterRng rng() {
    return new CounterRng(BACKEND, 91, Purpose.LIKELIHOOD);
  }
}
