package cifvi.vi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Kind;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The importance-weighted hierarchical bound, and objectives that are warmed up. */
@ExtendWith(NativeScope.class)
class IwhviTest {
  private static final double ROUNDING = 1e-10;
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final long ROWS = 6;
  private static final int M = 4;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64);
  }

  private static CounterRng rng() {
    return new CounterRng(BACKEND, 51, Purpose.TRAIN);
  }

  private static double[] values(Objective objective, Model model, Observation x) {
    return Backend.doubles(objective.value(model, x, rng()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void withoutMoreIndicesItIsTheAuxiliaryBound(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, ROWS);
      assertThat(values(new Objective.Iwhvi(0), model, x))
          .containsExactly(values(new Objective.Elbo(), model, x), within(ROUNDING));
    }
  }

  /** Draw by draw: path j of row i has the noise of row i M + j, beyond that of the layers. */
  @ParameterizedTest
  @MethodSource("kinds")
  void itIsTheMeanOverTheGeneratingPathAndPathsBack(Kind kind) {
    try (Model model = Posteriors.cif(kind, 1)) {
      Posteriors.perturb(model, 0.1, 3);
      Observation x = Posteriors.observation(kind, ROWS);
      var posterior = model.posterior();
      var draw = posterior.sample(x, rng());
      double[] delta = Backend.doubles(draw.delta());
      double[] logP = Backend.doubles(model.logJoint(x, draw.z()));
      double[] expected = new double[(int) ROWS];
      for (int i = 0; i < ROWS; i++) {
        var mean = new LogMeanExp();
        mean.add(-delta[i]);
        for (int j = 0; j < M; j++) {
          var noise = rng().beyond(posterior.layers().size()).fromRow((long) i * M + j);
          var z = draw.z().narrow(0, i, 1);
          mean.add(posterior.logWeight(z, x.slice(i, 1), noise).item_double());
        }
        expected[i] = logP[i] - mean.value();
      }
      assertThat(values(new Objective.Iwhvi(M), model, x))
          .containsExactly(expected, within(ROUNDING));
    }
  }

  /** Where r is far from q(u|z), as before any training, each bound is well above the last. */
  @Test
  void moreIndicesGiveHigherBounds() {
    var kind = new Kind(Posteriors.Flow.MAF, Posteriors.Placement.PAPER, false, Precision.FLOAT64);
    try (Model model = Posteriors.cif(kind, 1)) {
      Posteriors.perturb(model, 0.3, 3);
      var x = Observation.none(1000);
      Estimate one = rise(model, x, 0, 1);
      Estimate ten = rise(model, x, 1, 10);
      assertThat(one.mean()).isGreaterThan(5 * one.standardError());
      assertThat(ten.mean()).isGreaterThan(5 * ten.standardError());
    }
  }

  private static Estimate rise(Model model, Observation x, int from, int to) {
    double[] low = values(new Objective.Iwhvi(from), model, x);
    double[] high = values(new Objective.Iwhvi(to), model, x);
    var moments = new Moments();
    for (int i = 0; i < low.length; i++) {
      moments.add(high[i] - low[i]);
    }
    return moments.estimate();
  }

  /** Of a plain flow q(z) is known, and no index makes the bound better. */
  @Test
  void ofAFlowItIsTheElbo() {
    Kind kind = kinds().findFirst().orElseThrow();
    try (Model flow = Posteriors.flow(kind, 1)) {
      Observation x = Posteriors.observation(kind, ROWS);
      assertThat(values(new Objective.Iwhvi(M), flow, x))
          .containsExactly(values(new Objective.Elbo(), flow, x), within(ROUNDING));
    }
  }

  @Test
  void aWarmUpEndsAtItsObjective() {
    Objective elbo = new Objective.Elbo();
    var warmed = new Objective.WarmUp(elbo, 10);
    assertThat(warmed.at(0)).isEqualTo(new Objective.Tempered(elbo, 0.1));
    assertThat(warmed.at(8)).isEqualTo(new Objective.Tempered(elbo, 0.9));
    assertThat(warmed.at(9)).isEqualTo(elbo);
    assertThat(warmed.at(100)).isEqualTo(elbo);
  }

  /** β log p + Δ, by the engine in its first step. */
  @Test
  void aWarmUpWeighsLogP() {
    Kind kind = kinds().filter(k -> !k.amortised()).findFirst().orElseThrow();
    try (Model model = Posteriors.cif(kind, 1)) {
      var x = Observation.none(ROWS);
      var draw = model.posterior().sample(x, rng().step(0));
      double expected =
          draw.delta().mean().item_double()
              + 0.25 * model.logJoint(x, draw.z()).mean().item_double();
      var warmed = new Objective.WarmUp(new Objective.Elbo(), 4);
      var options = new StepOptions(OptionalDouble.empty(), 51, 1);
      try (var engine = EagerEngine.seeded(model, warmed, options)) {
        assertThat(engine.step(0, 0, x).objective()).isCloseTo(expected, within(ROUNDING));
        assertThat(engine.step(3, 0, x).objective())
            .isCloseTo(
                new Objective.Elbo().value(model, x, rng().step(3)).mean().item_double(),
                within(ROUNDING));
      }
    }
  }
}
