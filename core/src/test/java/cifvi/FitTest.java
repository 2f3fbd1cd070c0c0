package cifvi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import cifvi.engine.Engines;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Densities with known answers through the front door. */
class FitTest {
  private static final Set<Family> WITHOUT_KERNELS =
      EnumSet.of(Family.MIXTURE, Family.HVM, Family.SIVI);
  private static final double LOG_2_PI = Math.log(2 * Math.PI);

  /** A normal with means (3, -200), standard deviations (0.01, 50), correlation 0.8. */
  private static final LogDensity NORMAL =
      LogDensity.of(
          2,
          (z, gradient) -> {
            double a = (z[0] - 3) / 0.01;
            double b = (z[1] + 200) / 50;
            double rest = 1 - 0.8 * 0.8;
            gradient[0] = -(a - 0.8 * b) / rest / 0.01;
            gradient[1] = -(b - 0.8 * a) / rest / 50;
            return -(a * a - 1.6 * a * b + b * b) / (2 * rest)
                - LOG_2_PI
                - Math.log(0.01 * 50 * Math.sqrt(rest));
          });

  @Test
  void aSearchThatTakesLongCanBeStopped() {
    var calls = new AtomicLong();
    var listener =
        new Fit.Listener() {
          @Override
          public boolean searching(long sofar) {
            calls.set(sofar);
            return sofar < 100;
          }

          @Override
          public boolean step(Fit.Progress progress) {
            return fail("a step after the search was stopped");
          }
        };
    var fit = Cifvi.fitting(NORMAL).listener(listener);
    assertThatThrownBy(fit::run).isInstanceOf(Progress.StoppedException.class);
    assertThat(calls.get()).isBetween(100L, 10_000L);
  }

  @Test
  void aNormalOfAnyUnitsIsFoundExactly() {
    try (var posterior =
        Cifvi.fitting(NORMAL).initialPoint(3.1, -150).family(Family.FULL_RANK).steps(2000).run()) {
      assertThat(posterior.report().elbo()).isCloseTo(0, within(0.01));
      assertThat(posterior.report().logEvidence()).isCloseTo(0, within(0.01));
      Draws draws = posterior.draws(20_000);
      assertThat(draws.mean("z.1")).isCloseTo(3, within(0.001));
      assertThat(draws.sd("z.1")).isCloseTo(0.01, within(0.0005));
      assertThat(draws.mean("z.2")).isCloseTo(-200, within(3.0));
      assertThat(draws.sd("z.2")).isCloseTo(50, within(2.0));
      assertThat(draws.effectiveSampleSize()).isGreaterThan(19_000);
    }
  }

  /** With its own factor, it is a standard normal from the first step on. */
  @Test
  void aFactorGivesUnitsToTheFirstDraws() {
    double[] factor = {0.01, 0, 0.8 * 50, 0.6 * 50};
    Fit fit = Cifvi.fitting(NORMAL).initialPoint(3, -200).initialFactor(factor);
    try (var posterior = fit.family(Family.MEAN_FIELD).steps(1).run()) {
      assertThat(posterior.report().notes()).containsExactly("16 points led to one mode");
      assertThat(posterior.report().elbo()).isCloseTo(0, within(0.01));
    }
    assertThatThrownBy(() -> fit.initialFactor(1, 0, 0))
        .hasMessage("initialFactor: expected 2 rows of 2 numbers, got 3 in all");
    assertThatThrownBy(() -> fit.initialFactor(1, 0, 0, -1))
        .hasMessageEndingWith("a positive diagonal, got -1.0 in row 2, column 2");
    assertThatThrownBy(() -> fit.initialFactor(1, 0.1, 0.1, 1))
        .hasMessageContaining("expected a triangular matrix");
  }

  @ParameterizedTest
  @EnumSource(names = "AUTO", mode = EnumSource.Mode.EXCLUDE)
  void everyFlowRunsWithKernels(Family family) {
    try (var posterior = Cifvi.fitting(NORMAL).family(family).steps(20).samples(50).run()) {
      assertThat(posterior.report().family()).isEqualTo(family);
      boolean wide = Engines.vectorBits().orElse(0) >= 256; // narrower vectors are no kernels' home
      boolean kernels = wide && !WITHOUT_KERNELS.contains(family);
      assertThat(posterior.report().engine())
          .startsWith(kernels ? "fused (hand-written kernels" : "eager (libtorch autograd");
      assertThat(posterior.draws(10).size()).isEqualTo(10);
    }
  }

  @Test
  void autoStaysWithTheCheapestFamilyThatIsExact() {
    var independent =
        LogDensity.of(
            2,
            (z, gradient) -> {
              gradient[0] = -z[0];
              gradient[1] = 1 - z[1];
              return -0.5 * z[0] * z[0] - 0.5 * (z[1] - 1) * (z[1] - 1);
            });
    try (var posterior = Cifvi.fit(independent)) {
      assertThat(posterior.report().family()).isEqualTo(Family.MEAN_FIELD);
      assertThat(posterior.report().elbo()).isCloseTo(LOG_2_PI, within(0.01));
      assertThat(posterior.report().notes()).anyMatch(note -> note.startsWith("auto chose"));
    }
  }

  /** Steps would only move it. */
  @Test
  void aNormalThatAscentsHaveFoundIsNotTrained() {
    int d = 100;
    var chain =
        LogDensity.of(
            d,
            (z, gradient) -> {
              double sum = 0;
              for (int i = 0; i < d; i++) {
                double e = z[i] - (i == 0 ? 0 : 0.9 * z[i - 1]);
                sum -= 0.5 * e * e;
                gradient[i] = -e;
                if (i > 0) {
                  gradient[i - 1] += 0.9 * e;
                }
              }
              return sum;
            });
    Fit.Listener none = _ -> fail("a step");
    try (var posterior = Cifvi.fitting(chain).listener(none).run()) {
      assertThat(posterior.report().family()).isEqualTo(Family.FULL_RANK);
      assertThat(posterior.report().elbo()).isCloseTo(50 * LOG_2_PI, within(0.01));
    }
  }

  @Test
  void aTargetOfLibtorchOperationsIsFitted() {
    try (var posterior =
        Cifvi.fitting(3, (_, z) -> z.square().sum(1).mul(Scalars.of(-0.5)))
            .family(Family.MEAN_FIELD)
            .run()) {
      assertThat(posterior.report().elbo()).isCloseTo(1.5 * LOG_2_PI, within(0.01));
    }
  }

  /** Gamma(3, 2): mean 1.5, standard deviation √3 / 2, normalised on the constrained space. */
  @Test
  void constrainedValuesAreSeenByTheDensity() {
    var space = ParameterSpace.of(Parameter.positive("rate"));
    var gamma =
        LogDensity.of(
            space,
            (x, gradient) -> {
              double rate = x.scalar("rate");
              gradient.of("rate").set(2 / rate - 2);
              return 2 * Math.log(rate) - 2 * rate + 3 * Math.log(2) - Math.log(2);
            });
    try (var posterior = Cifvi.fitting(gamma).family(Family.NSF).steps(1500).run()) {
      Draws draws = posterior.draws(20_000);
      assertThat(posterior.report().elbo()).isCloseTo(0, within(0.02));
      assertThat(draws.names()).isEqualTo(List.of("rate"));
      assertThat(draws.mean("rate")).isCloseTo(1.5, within(0.03));
      assertThat(draws.sd("rate")).isCloseTo(Math.sqrt(3) / 2, within(0.03));
      assertThat(draws.values(0).scalar("rate")).isPositive();
    }
  }

  @Test
  void startsAreReportedAndTheBestIsKept() {
    try (var posterior =
        Cifvi.fitting(NORMAL).starts(3).steps(50).family(Family.MEAN_FIELD).run()) {
      var bounds = posterior.report().starts();
      assertThat(bounds).hasSize(3).doesNotHaveDuplicates();
      assertThat(posterior.report().elbo())
          .isEqualTo(bounds.stream().mapToDouble(b -> b).max().orElseThrow());
    }
  }

  @Test
  void aListenerCanStopAndKeepsWhatWasReached() {
    try (var posterior =
        Cifvi.fitting(NORMAL)
            .family(Family.MEAN_FIELD)
            .listener(progress -> progress.step() < 10)
            .run()) {
      assertThat(posterior.draws(5).size()).isEqualTo(5);
    }
  }

  /** Path gradients, double precision and the affine of the released code, through a file. */
  @Test
  void gradientPrecisionAndPlacementAreKept(@TempDir Path folder) throws IOException {
    Fit fit =
        Cifvi.fitting(NORMAL)
            .family(Family.CIF_NSF)
            .objective(new Objective.PathElbo())
            .precision(Precision.FLOAT64)
            .placement(Placement.RELEASED)
            .clip(Double.POSITIVE_INFINITY)
            .steps(5)
            .samples(20);
    try (var posterior = fit.run()) {
      assertThat(posterior.report().engine()).startsWith("eager (libtorch autograd");
      posterior.save(folder.resolve("saved"));
      try (var loaded = FittedPosterior.load(folder.resolve("saved"), NORMAL)) {
        assertThat(loaded.draws(5).logG(4)).isEqualTo(posterior.draws(5).logG(4));
      }
    }
    assertThatThrownBy(() -> fit.clip(0)).hasMessage("clip: expected a positive number, got 0.0");
  }

  /** Two normals, ten standard deviations from each other, with weights 0.3 and 0.7. */
  @Test
  void separateModesAreBothCovered() {
    var two =
        LogDensity.of(
            2,
            (z, gradient) -> {
              double right = Math.log(0.3) - 0.5 * Math.pow(z[0] - 5, 2);
              double left = Math.log(0.7) - 0.5 * Math.pow(z[0] + 5, 2);
              double share = 1 / (1 + Math.exp(left - right));
              gradient[0] = -share * (z[0] - 5) - (1 - share) * (z[0] + 5);
              gradient[1] = -z[1];
              double most = Math.max(left, right);
              return most
                  + Math.log(Math.exp(left - most) + Math.exp(right - most))
                  - 0.5 * z[1] * z[1]
                  - LOG_2_PI;
            });
    try (var posterior = Cifvi.fitting(two).family(Family.NSF).steps(2000).threads(1).run()) {
      assertThat(posterior.report().notes()).anyMatch(note -> note.contains("led to 2 modes"));
      double[] z = posterior.draws(4000).column("z.1");
      double share = Arrays.stream(z).filter(v -> v > 0).count() / 4000.0;
      assertThat(share).isBetween(0.1, 0.6);
      assertThat(posterior.report().elbo())
          .isGreaterThan(Math.log(0.7)); // of the larger mode alone
    }
    try (var posterior = Cifvi.fitting(two).threads(1).run()) {
      assertThat(posterior.report().family()).isEqualTo(Family.MIXTURE);
      assertThat(posterior.report().elbo()).isCloseTo(0, within(0.01));
      double[] z = posterior.draws(4000).column("z.1");
      double share = Arrays.stream(z).filter(v -> v > 0).count() / 4000.0;
      assertThat(share).isCloseTo(0.3, within(0.03));
    }
  }

  @Test
  void wrongNumbersAreRefused() {
    assertThatThrownBy(() -> Cifvi.fit(LogDensity.of(0, (_, _) -> 0)))
        .hasMessage("dimensions: expected at least 1, got 0");
    assertThatThrownBy(() -> Cifvi.fitting(NORMAL).steps(0))
        .hasMessage("steps: expected at least 1, got 0");
    assertThatThrownBy(() -> Cifvi.fitting(NORMAL).initialPoint(1))
        .hasMessage("initialPoint: expected 2 numbers, got 1");
    assertThatThrownBy(() -> Cifvi.fitting(NORMAL).initialScale(Double.NaN))
        .hasMessage("initialScale: expected a positive number, got NaN");
    assertThatThrownBy(() -> Family.of("nfs"))
        .hasMessageContaining("cif-nsf")
        .hasMessageEndingWith("got nfs");
  }
}
