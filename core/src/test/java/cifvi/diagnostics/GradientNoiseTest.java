package cifvi.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
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
import cifvi.vi.Moments;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Signal and noise of gradients. */
@ExtendWith(NativeScope.class)
class GradientNoiseTest {
  private static final Kind KIND = new Kind(Flow.MAF, Placement.PAPER, false, Precision.FLOAT64);

  private static GradientNoise noise(Model model, Objective objective, long rows, int batches) {
    var rng = new CounterRng(Backend.cpu(Precision.FLOAT64), 5, Purpose.TRAIN);
    return GradientNoise.of(
        model, objective, Observation.none(rows), batches, rng::step, Progress.SILENT);
  }

  /** Against sums of moments, one for every parameter, and the errors against their definition. */
  @Test
  void itIsTheTraceOfTheCovariance() {
    try (Model model = Posteriors.cif(KIND, 1)) {
      var noise = noise(model, new Objective.Elbo(), 10, 12);
      double trace = 0;
      double squaredNorm = 0;
      for (int j = 0; j < noise.gradients()[0].length; j++) {
        var moments = new Moments();
        for (double[] gradient : noise.gradients()) {
          moments.add(gradient[j]);
        }
        trace += moments.variance();
        squaredNorm += moments.mean() * moments.mean() - moments.variance() / 12;
      }
      var all = noise.in(_ -> true);
      assertThat(all.trace().mean()).isCloseTo(trace, within(1e-9 * trace));
      assertThat(all.signalToNoise().mean())
          .isCloseTo(Math.sqrt(Math.max(0, squaredNorm) / trace), within(1e-9));
      var spread = new Moments(); // the jackknife of a mean is its standard error
      double[] mean = new double[noise.gradients()[0].length];
      for (double[] gradient : noise.gradients()) {
        for (int j = 0; j < mean.length; j++) {
          mean[j] += gradient[j] / 12;
        }
      }
      for (double[] gradient : noise.gradients()) {
        double distance = 0;
        for (int j = 0; j < mean.length; j++) {
          distance += (gradient[j] - mean[j]) * (gradient[j] - mean[j]);
        }
        spread.add(distance);
      }
      double error = spread.estimate().standardError();
      assertThat(all.trace().standardError()).isBetween(error, 1.5 * error);
    }
  }

  @Test
  void partsAddUpAndBatchesDivideIt() {
    try (Model model = Posteriors.cif(KIND, 1)) {
      var few = noise(model, new Objective.Elbo(), 10, 60);
      double r = few.in(name -> name.contains(".r.")).trace().mean();
      double others = few.in(name -> !name.contains(".r.")).trace().mean();
      assertThat(r).isPositive();
      assertThat(others).isPositive();
      var all = few.in(_ -> true).trace();
      assertThat(r + others).isCloseTo(all.mean(), within(1e-9 * all.mean()));
      var many = noise(model, new Objective.Elbo(), 160, 60).in(_ -> true).trace();
      assertThat(many.mean()).isLessThan(all.mean() / 4);
    }
  }

  /** Where q is exact, path gradients have no noise in q, and total ones do. */
  @Test
  void anExactFitHasNoNoise() {
    try (Model flow = Posteriors.flow(KIND, 1);
        Model neutral = Posteriors.neutral(KIND, flow)) {
      var rng = new CounterRng(Backend.cpu(Precision.FLOAT64), 99, Purpose.TRAIN);
      Model exact = Posteriors.with((x, z) -> flow.posterior().logWeight(z, x, rng), neutral);
      double total =
          noise(exact, new Objective.Elbo(), 10, 5).in(n -> !n.contains(".r.")).trace().mean();
      double path =
          noise(exact, new Objective.PathElbo(), 10, 5).in(n -> !n.contains(".r.")).trace().mean();
      assertThat(path).isLessThan(1e-12 * total);
    }
  }

  @Test
  void fewBatchesAreRefused() {
    try (Model model = Posteriors.cif(KIND, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> noise(model, new Objective.Elbo(), 1, 2))
          .withMessage("batches: expected at least 3, got 2");
    }
  }
}
