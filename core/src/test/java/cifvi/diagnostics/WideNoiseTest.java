package cifvi.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.posterior.Posterior;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Kind;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Moments;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The density of noise that reaches further out is what it is said to be. */
@ExtendWith(NativeScope.class)
class WideNoiseTest {
  private static final int ROWS = 20_000;
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final CounterRng USUAL = new CounterRng(BACKEND, 5, Purpose.EVALUATE);

  private static Model indexed() {
    Kind kind =
        Kind.all(Precision.FLOAT64).filter(each -> !each.amortised()).findFirst().orElseThrow();
    return Posteriors.cif(kind, 1);
  }

  /** E_νρ[1/ρ] = ∫ ν = 1, and E_νρ[ε²/ρ] = 1 for every number. */
  @Test
  void weightsOfOneOverRhoMakeTheUsualNoiseOfIt() {
    try (Model model = indexed()) {
      Posterior posterior = model.posterior();
      WideNoise wide = WideNoise.of(posterior, USUAL);
      double[] logRatios = wide.logRatios(ROWS);
      double[] base = Backend.doubles(wide.normal(ROWS, 2));
      var one = new Moments();
      var square = new Moments();
      for (int i = 0; i < ROWS; i++) {
        assertThat(logRatios[i]).isGreaterThanOrEqualTo(Math.log(0.5));
        one.add(Math.exp(-logRatios[i]));
        square.add(Math.exp(-logRatios[i]) * base[2 * i] * base[2 * i]);
      }
      assertThat(one.mean()).isEqualTo(1, within(4 * one.estimate().standardError()));
      assertThat(square.mean()).isEqualTo(1, within(4 * square.estimate().standardError()));
    }
  }

  @Test
  void everySecondRowHasOneNumberThatIsThreeTimesAsWide() {
    try (Model model = indexed()) {
      Posterior posterior = model.posterior();
      WideNoise wide = WideNoise.of(posterior, USUAL);
      double[] base = Backend.doubles(wide.normal(40, 2));
      double[] usual = USUAL.normals(40, 2);
      var widened = new TreeSet<Integer>();
      for (int e = 0; e < base.length; e++) {
        if (base[e] != usual[e]) {
          assertThat(base[e]).isEqualTo(3 * usual[e]);
          assertThat(e / 2 % 2).as("row %d", e / 2).isEqualTo(1);
          assertThat(widened.add(e / 2)).as("row %d has one", e / 2).isTrue();
        }
      }
      assertThat(widened).hasSizeBetween(2, 19); // the indices have their turns, too
      assertThat(Backend.doubles(wide.fromRow(3).normal(1, 2)))
          .containsExactly(base[6], base[7]); // an address, not a sequence
    }
  }
}
