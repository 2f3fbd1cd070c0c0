package cifvi.posterior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Observation;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.posterior.Posteriors.Size;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.testing.NativeScope;
import cifvi.vi.Estimate;
import cifvi.vi.Model;
import cifvi.vi.Moments;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Densities integrate to one over the plane: exactly for a flow, on average for a CIF. */
@ExtendWith(NativeScope.class)
class NormalisationTest {
  /** Beyond it lies less than 10⁻⁴ of the mass. */
  private static final double LIMIT = 8;

  /** Error of the lattice sum: a spline's density has kinks, of which some lie close together. */
  private static final double QUADRATURE = 2e-3;

  /** A correct mean is further off than this many standard errors once in 16,000 times. */
  private static final double ERRORS = 4;

  private static final int PATHS = 16;
  private static final Size SIZE = new Size(2, 8);
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);

  @Test
  void flowIntegratesToOne() {
    try (Model model = smooth(Posteriors.flow(kind(Placement.PAPER), SIZE, 1))) {
      assertThat(integral(model, 0.05, 0)).isCloseTo(1, within(QUADRATURE));
    }
  }

  /** q̂(z) is unbiased for q(z) at every z, so its integral has mean one. */
  @ParameterizedTest
  @EnumSource
  void cifIntegratesToOne(Placement placement) {
    try (Model model = smooth(Posteriors.cif(kind(placement), SIZE, 1))) {
      var integrals = new Moments();
      for (int path = 1; path <= PATHS; path++) {
        integrals.add(integral(model, 0.1, path));
      }
      Estimate estimate = integrals.estimate();
      assertThat(estimate.standardError()).isBetween(1e-4, 3e-3);
      assertThat(estimate.mean())
          .isCloseTo(1, within(ERRORS * estimate.standardError() + QUADRATURE));
    }
  }

  /** ∫ q̂(z) dz with one path back from every point of a lattice with distance h. */
  private static double integral(Model model, double h, long path) {
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      Tensor z = lattice(h);
      Tensor logQ = model.posterior().logWeight(z, Observation.none(z.size(0)), rng().step(path));
      return logQ.exp().sum().item_double() * h * h;
    }
  }

  /** Halves every parameter: densities become smooth enough for a lattice. */
  private static Model smooth(Model model) {
    var flat = model.parameters().flat();
    flat.update(() -> flat.values().mul_(Scalars.of(0.5)));
    return model;
  }

  /** The points of a square lattice over [-LIMIT, LIMIT]², {@code [points, 2]}. */
  private static Tensor lattice(double h) {
    int side = (int) Math.round(2 * LIMIT / h) + 1;
    double[] points = new double[2 * side * side];
    Arrays.setAll(points, i -> -LIMIT + h * (i % 2 == 0 ? i / 2 / side : i / 2 % side));
    return BACKEND.tensor(points, (long) side * side, 2);
  }

  private static Kind kind(Placement placement) {
    return new Kind(Flow.NSF, placement, false, Precision.FLOAT64);
  }

  private static CounterRng rng() {
    return new CounterRng(BACKEND, 31, Purpose.MARGINAL);
  }
}
