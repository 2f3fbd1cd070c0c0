package cifvi.experiments.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.target.KnownAnswers.Region;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Integrals over the plane, by the trapezoid rule: of all densities that can have 2 dimensions. */
class PlaneTargetsTest {
  /** The lattice covers [-a, a] x [-b, b]. */
  @ParameterizedTest
  @CsvSource({
    "banana, 9, 60, 0.05",
    "rings, 4.5, 4.5, 0.02",
    "mixture40, 50, 50, 0.25",
    "many-well, 5, 9, 0.02",
    "gaussian, 6, 90, 0.05",
    "funnel, 9, 400, 0.1"
  })
  void massMomentsAndRegionsAreAsKnown(String name, double a, double b, double step) {
    KnownDensity density =
        name.equals("banana") || name.equals("rings") || name.equals("mixture40")
            ? Targets.of(name)
            : Targets.of(name, OptionalInt.of(2));
    KnownAnswers known = density.known();
    boolean cut = name.equals("funnel"); // whose mouth no lattice covers
    var sums = new double[5];
    var masses = new double[known.regions().size()];
    for (double x = -a; x <= a; x += step) {
      for (double y = -b; y <= b; y += step) {
        double[] z = {x, y};
        double mass = Math.exp(density.at(z, new double[2]) - known.logZ().orElseThrow());
        mass *= step * step;
        sums[0] += mass;
        for (int c = 0; c < 2; c++) {
          sums[1 + c] += mass * z[c];
          sums[3 + c] += mass * z[c] * z[c];
        }
        for (int r = 0; r < masses.length; r++) {
          Region region = known.regions().get(r);
          masses[r] += region.contains().test(z) ? mass : 0;
        }
      }
    }
    assertThat(sums[0]).as("mass").isCloseTo(1, within(cut ? 0.05 : 1e-6));
    if (cut) {
      return;
    }
    for (int c = 0; c < 2; c++) {
      var moments = known.moments(density.parameters().names().get(c));
      assertThat(sums[1 + c]).isCloseTo(moments.mean(), within(1e-5));
      double variance = sums[3 + c] - sums[1 + c] * sums[1 + c];
      assertThat(Math.sqrt(variance)).isCloseTo(moments.sd(), within(1e-5));
    }
    for (int r = 0; r < masses.length; r++) {
      Region region = known.regions().get(r);
      // Three components that overlap share their mass unevenly; a point on a border counts once.
      double tolerance = name.equals("mixture40") ? 0.1 * region.probability() : 1e-3;
      assertThat(masses[r]).as(region.name()).isCloseTo(region.probability(), within(tolerance));
    }
  }
}
