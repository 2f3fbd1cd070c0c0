package cifvi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fit that was stopped ends with the bits of one that was not. */
class ResumedFitTest {
  /** Neal's funnel in two dimensions, without an answer far out. */
  private static final LogDensity FUNNEL =
      LogDensity.of(
          2,
          (z, gradient) -> {
            if (z[0] > 4) {
              return Double.NaN;
            }
            double precision = Math.exp(-z[0]);
            gradient[0] = -z[0] / 9 - 0.5 + 0.5 * precision * z[1] * z[1];
            gradient[1] = -precision * z[1];
            return -z[0] * z[0] / 18 - 0.5 * z[0] - 0.5 * precision * z[1] * z[1];
          });

  private static final Fit FIT =
      Cifvi.fitting(FUNNEL)
          .family(Family.CIF_NSF)
          .steps(25)
          .samples(50)
          .starts(2)
          .average(true)
          .threads(1);

  private static String whole = "";

  @TempDir Path folder;

  @BeforeAll
  static void fitWithoutAStop() {
    whole = textOf(FIT.run());
  }

  private static String textOf(FittedPosterior posterior) {
    try (posterior) {
      Draws draws = posterior.draws(20);
      var text = new StringBuilder(posterior.report().toString());
      for (int i = 0; i < draws.size(); i++) {
        text.append('\n').append(draws.logP(i)).append(' ').append(draws.logG(i));
      }
      return text.toString();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1010, 1024, 1500, 2040})
  void bitsAreThoseOfAnUninterruptedFit(int stop) {
    var steps = new AtomicInteger();
    FIT.resumable(folder).listener(_ -> steps.incrementAndGet() < stop).run().close();
    var more = new AtomicInteger();
    String resumed = textOf(FIT.resumable(folder).listener(_ -> more.incrementAndGet() > 0).run());
    assertThat(resumed).isEqualTo(whole);
    assertThat(steps.get() + more.get()).isEqualTo(2050);
  }

  /** What is not trained is looked at again, and counts no call twice. */
  @Test
  void severalFamiliesGoOnToo() {
    Fit fit = FIT.starts(1).family(Family.AUTO);
    String uninterrupted = textOf(fit.run());
    var steps = new AtomicInteger();
    fit.resumable(folder).listener(_ -> steps.incrementAndGet() < 1500).run().close();
    assertThat(textOf(fit.resumable(folder).run())).isEqualTo(uninterrupted);
  }

  @Test
  void aDamagedStateCostsTimeAndNoBits() throws IOException {
    Fit fit = FIT.starts(1).family(Family.MEAN_FIELD);
    String undamaged = textOf(fit.run());
    fit.resumable(folder).listener(progress -> progress.step() < 10).run().close();
    byte[] bytes = Files.readAllBytes(folder.resolve("latest.safetensors"));
    bytes[bytes.length - 1] ^= 1;
    Files.write(folder.resolve("latest.safetensors"), bytes);
    assertThat(textOf(fit.resumable(folder).run())).isEqualTo(undamaged);
  }

  @Test
  void otherSettingsAreRefused() {
    Fit fit = FIT.starts(1).family(Family.MEAN_FIELD).resumable(folder);
    fit.run().close();
    assertThatThrownBy(() -> fit.seed(2).run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stage-0.safetensors is of a fit with other settings")
        .hasMessageContaining("seed 1")
        .hasMessageContaining("seed 2");
  }
}
