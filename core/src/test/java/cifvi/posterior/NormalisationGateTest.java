package cifvi.posterior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.posterior.Posteriors.Size;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Estimate;
import cifvi.vi.ForwardWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import cifvi.vi.Schedule;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import java.util.OptionalDouble;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The weights p(z) r(u|z) / q(z, u) of a trained CIF average to the normalising constant of the
 * target, which is 1, once every mode is covered.
 */
@ExtendWith(NativeScope.class)
class NormalisationGateTest {
  /** A correct mean is further off than this many standard errors once in 16,000 times. */
  private static final double ERRORS = 4;

  private static final double STD = 0.25;
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT32);

  @ParameterizedTest
  @EnumSource
  void weightsOfASmallCifAverageToOne(Placement placement) {
    var target = MixtureTarget.lattice(BACKEND, 4, 1, STD);
    var model = Posteriors.cif(kind(placement), new Size(2, 16), 1);
    assertGate(Posteriors.with(target, model), target, 500, 600, 1e-2);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void weightsOfThePaperCifAverageToOne(Placement placement) {
    var target = MixtureTarget.paper(BACKEND, 9);
    var model = Posteriors.cif(kind(placement), Size.PAPER, 1);
    assertGate(Posteriors.with(target, model), target, 500, 5000, 2e-3);
  }

  private static void assertGate(
      Model model, MixtureTarget target, long samples, long steps, double rate) {
    try (model;
        var engine =
            EagerEngine.seeded(
                model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 1, 1))) {
      new Trainer(engine, Schedule.cosine(rate, steps))
          .run(steps, Observation.none(samples), _ -> true);
      Observation one = Observation.none(1);
      Estimate logZ =
          new ForwardWeights(model, 10_000, Progress.SILENT)
              .logLikelihoods(one, 100_000, rng(Purpose.LIKELIHOOD))[0].estimate();
      assertCovered(
          model.posterior().sample(Observation.none(20_000), rng(Purpose.SAMPLE)).z(), target);
      assertThat(logZ.standardError()).isLessThan(0.01);
      assertThat(logZ.mean()).isCloseTo(0, within(ERRORS * logZ.standardError()));
    }
  }

  /** Every mode holds at least half its share of the draws within three standard deviations. */
  private static void assertCovered(Tensor z, MixtureTarget target) {
    double[] draws = Backend.doubles(z);
    double[] means = Backend.doubles(target.means());
    for (int k = 0; k < means.length; k += 2) {
      int near = 0;
      for (int i = 0; i < draws.length; i += 2) {
        if (Math.hypot(draws[i] - means[k], draws[i + 1] - means[k + 1]) < 3 * STD) {
          near++;
        }
      }
      assertThat(near)
          .as("draws near mode %d", k / 2)
          .isGreaterThan(draws.length / means.length / 2);
    }
  }

  private static Kind kind(Placement placement) {
    return new Kind(Flow.NSF, placement, false, Precision.FLOAT32);
  }

  private static CounterRng rng(Purpose purpose) {
    return new CounterRng(BACKEND, 41, purpose);
  }
}
