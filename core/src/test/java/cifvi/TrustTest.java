package cifvi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.diagnostics.Agreement;
import cifvi.diagnostics.Comparison;
import cifvi.diagnostics.Mode;
import cifvi.diagnostics.ReferenceDraws;
import cifvi.diagnostics.Trust;
import cifvi.diagnostics.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fit says of itself. */
class TrustTest {
  /** z_1 ~ N(0, 1), z_2 ~ N(z_1², 1): the density of the README. */
  private static final LogDensity BANANA =
      LogDensity.of(
          2,
          (z, gradient) -> {
            double bend = z[1] - z[0] * z[0];
            gradient[0] = -z[0] + 2 * z[0] * bend;
            gradient[1] = -bend;
            return -0.5 * (z[0] * z[0] + bend * bend) - Math.log(2 * Math.PI);
          });

  private static final LogDensity NORMAL =
      LogDensity.of(
          2,
          (z, gradient) -> {
            gradient[0] = -z[0];
            gradient[1] = -z[1] / 100;
            return -0.5 * (z[0] * z[0] + z[1] * z[1] / 100);
          });

  @TempDir Path folder;

  @Test
  void anExactFitIsGood() throws IOException {
    try (var posterior = Cifvi.fitting(NORMAL).family(Family.MEAN_FIELD).threads(1).run()) {
      Trust trust = posterior.trust();
      assertThat(trust.verdict()).as("%s", trust).isEqualTo(Verdict.GOOD);
      assertThat(trust.joint().ess()).isGreaterThan(3900);
      assertThat(trust.bracket()).isNull();
      posterior.save(folder.resolve("saved"));
      try (var loaded = FittedPosterior.load(folder.resolve("saved"), NORMAL)) {
        assertThat(loaded.trust()).isEqualTo(trust);
      }
    }
    try (var unknown = FittedPosterior.load(folder.resolve("saved"))) {
      assertThatThrownBy(unknown::trust).hasMessageContaining("load it with");
    }
  }

  @Test
  void aNormalOnABananaIsNotGood() {
    try (var posterior = Cifvi.fitting(BANANA).family(Family.MEAN_FIELD).threads(1).run()) {
      Trust trust = posterior.trust();
      assertThat(trust.verdict()).as("%s", trust).isNotEqualTo(Verdict.GOOD);
      assertThat(trust.next()).isNotEmpty();
    }
  }

  @Test
  void anIndexedFitIsBracketed() {
    try (var posterior =
        Cifvi.fitting(BANANA).family(Family.CIF_NSF).steps(1500).threads(1).run()) {
      Draws draws = posterior.draws(4000);
      Trust trust = posterior.trust(draws);
      Trust.Bracket bracket = Objects.requireNonNull(trust.bracket());
      assertThat(bracket.lower()).isBetween(trust.elbo(), bracket.upper());
      assertThat(bracket.slackLower()).isBetween(0.0, bracket.slackUpper());
      assertThat(bracket.upper()).isLessThan(4 * bracket.error());
      assertThat(Objects.requireNonNull(trust.marginal()).ess()).isGreaterThan(trust.joint().ess());
      assertThat(trust.marginal().logEvidence()).isCloseTo(0, within(0.1));
      assertThat(trust.indexWorth()).hasSize(4).allMatch(worth -> worth.count() == 1000);
      assertThat(posterior.trust(draws)).isEqualTo(trust);
      assertThat(draws.resampled(2000, 1).mean("z.2")).isCloseTo(1, within(0.2));
    }
  }

  @Test
  void aDensityWithTwoAnswersIsNotTrusted() {
    var noise = new SplittableRandom(1);
    LogDensity noisy =
        LogDensity.of(2, (z, gradient) -> NORMAL.at(z, gradient) + noise.nextDouble());
    try (var posterior =
        Cifvi.fitting(noisy).family(Family.MEAN_FIELD).steps(300).threads(1).run()) {
      Trust trust = posterior.trust();
      assertThat(trust.verdict()).isEqualTo(Verdict.POOR);
      assertThat(trust.why().getFirst()).startsWith("log p had two answers at the same point");
    }
  }

  /** Two normals 20 standard deviations apart, with a quarter and three quarters of the mass. */
  private static final LogDensity TWO =
      LogDensity.of(
          2,
          (z, gradient) -> {
            double a = Math.log(0.25) - 0.5 * (Math.pow(z[0] + 10, 2) + z[1] * z[1]);
            double b = Math.log(0.75) - 0.5 * (Math.pow(z[0] - 10, 2) + z[1] * z[1]);
            double sum = Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
            gradient[0] = -Math.exp(a - sum) * (z[0] + 10) - Math.exp(b - sum) * (z[0] - 10);
            gradient[1] = -z[1];
            return sum - Math.log(2 * Math.PI);
          });

  @Test
  void aModeThatNoDrawHasSeenIsNoticed() {
    var fit = Cifvi.fitting(TWO).family(Family.MEAN_FIELD).threads(1);
    try (var posterior = fit.initialPoint(10, 0).run()) {
      Trust trust = posterior.trust();
      assertThat(trust.joint().reliable()).isTrue();
      assertThat(trust.joint().logEvidence()).isCloseTo(Math.log(0.75), within(0.05));
      assertThat(trust.verdict()).isEqualTo(Verdict.POOR);
      List<Mode> modes = Objects.requireNonNull(trust.modes());
      assertThat(modes).hasSize(2);
      Mode missed = modes.get(1);
      assertThat(missed.missed()).isTrue();
      assertThat(missed.mass()).isCloseTo(0.25, within(0.02));
      assertThat(missed.covered()).isLessThan(1e-9);
      assertThat(missed.z().get(0)).isCloseTo(-10, within(0.05));
      assertThat(modes.get(0).covered()).isGreaterThan(0.9);
    }
  }

  @Test
  void startsThatFoundOtherModesAreKept() throws IOException {
    var fit = Cifvi.fitting(TWO).family(Family.MEAN_FIELD).threads(1).steps(400);
    try (var posterior = fit.initialScale(6).starts(4).startDraws(500).run()) {
      assertThat(posterior.starts()).hasSize(4).allMatch(draws -> draws.size() == 500);
      Trust trust = posterior.trust();
      Agreement agreement = Objects.requireNonNull(trust.agreement());
      assertThat(agreement.starts()).isEqualTo(4);
      assertThat(agreement.asGood()).isBetween(1, 4);
      Path store = folder.resolve("starts.zarr");
      Draws.write(posterior.starts(), store);
      assertThat(store.resolve("posterior/z/.zarray")).content().contains("[4, 500, 2]");
      assertThat(store.resolve("posterior/z/0.0.0")).hasSize(4 * 500 * 2 * 8);
    }
  }

  /** Reference draws of the banana are exact: both sides close on log Z = 0. */
  @Test
  void referenceDrawsBoundTheEvidenceFromAbove() {
    var random = new SplittableRandom(3);
    double[][] columns = new double[2][3000];
    for (int i = 0; i < 3000; i++) {
      columns[0][i] = random.nextGaussian();
      columns[1][i] = columns[0][i] * columns[0][i] + random.nextGaussian();
    }
    var reference = new ReferenceDraws(List.of("z.1", "z.2"), columns);
    for (Family family : List.of(Family.MEAN_FIELD, Family.CIF_NSF)) {
      try (var posterior = Cifvi.fitting(BANANA).family(family).steps(600).threads(1).run()) {
        Trust trust = posterior.trust(posterior.draws(4000), reference);
        Comparison comparison = Objects.requireNonNull(trust.reference());
        assertThat(comparison.note()).isNull();
        assertThat(comparison.eubo())
            .isGreaterThan(-3 * Objects.requireNonNull(comparison.euboError()));
        assertThat(trust.elbo()).isLessThan(0.05);
        assertThat(comparison.margins()).hasSize(2);
        if (family == Family.CIF_NSF) {
          assertThat(comparison.eubo()).isLessThan(0.5);
          assertThat(comparison.margins().get(1).wasserstein()).isLessThan(0.2);
        } else {
          assertThat(comparison.margins().get(1).sd()).isLessThan(-0.2);
        }
      }
    }
    var few = new ReferenceDraws(List.of("z.2"), new double[][] {columns[1]});
    try (var posterior = Cifvi.fitting(BANANA).family(Family.MEAN_FIELD).threads(1).run()) {
      Comparison comparison =
          Objects.requireNonNull(posterior.trust(posterior.draws(1000), few).reference());
      assertThat(comparison.eubo()).isNull();
      assertThat(comparison.note()).isEqualTo("the reference has no z.1");
    }
  }
}
