package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.engine.Engines.Kind;
import cifvi.experiments.models.MogModel;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Training with either engine leads to the same distribution of ELBOs over seeds. */
@Tag("slow")
class EngineDistributionTest {
  private static final int SEEDS = 16;
  private static final int STEPS = 2000;
  private static final int FIRST = 1500;

  @Test
  void elbosAreOfOneDistribution() {
    double[] fused = elbos(Kind.FUSED, 1);
    double[] eager = elbos(Kind.EAGER, 1 + SEEDS);
    assertThat(kolmogorovSmirnov(fused, eager)).isGreaterThan(0.01);
  }

  /** Mean ELBO over the last steps, for every seed. */
  private static double[] elbos(Kind kind, long firstSeed) {
    double[] means = new double[SEEDS];
    for (int i = 0; i < SEEDS; i++) {
      long seed = firstSeed + i;
      try (var model =
              MogModel.paper(true, Placement.RELEASED).build(Backend.cpu(Precision.FLOAT32), seed);
          var engine =
              Engines.start(
                  kind,
                  model,
                  new Objective.Elbo(),
                  new StepOptions(OptionalDouble.of(5), seed, 1))) {
        for (int step = 0; step < STEPS; step++) {
          double elbo = engine.step(step, 1e-3, Observation.none(1000)).objective();
          means[i] += step < FIRST ? 0 : elbo / (STEPS - FIRST);
        }
      }
    }
    return means;
  }

  /** The two-sample test's p-value, by the asymptotic distribution with Stephens' correction. */
  private static double kolmogorovSmirnov(double[] a, double[] b) {
    Arrays.sort(a);
    Arrays.sort(b);
    double distance = 0;
    for (double x : concat(a, b)) {
      distance = Math.max(distance, Math.abs(share(a, x) - share(b, x)));
    }
    double n = Math.sqrt(a.length * (double) b.length / (a.length + b.length));
    double lambda = (n + 0.12 + 0.11 / n) * distance;
    double p = 0;
    for (int k = 1; k <= 100; k++) {
      p += 2 * (k % 2 == 1 ? 1 : -1) * Math.exp(-2.0 * k * k * lambda * lambda);
    }
    return lambda < 0.2 ? 1 : Math.min(1, p);
  }

  private static double[] concat(double[] a, double[] b) {
    double[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /** Share of the sample up to x. */
  private static double share(double[] sample, double x) {
    return Arrays.stream(sample).filter(v -> v <= x).count() / (double) sample.length;
  }
}
