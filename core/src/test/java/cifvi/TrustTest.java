package cifvi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.diagnostics.Trust;
import cifvi.diagnostics.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
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
}
