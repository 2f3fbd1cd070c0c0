package cifvi.cli.plot.canvas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.cli.plot.Numerals;
import org.junit.jupiter.api.Test;

/** Text without fonts. */
class GlyphsTest {
  @Test
  void everyCharacterOfTheTitlesHasAnOutline() {
    double unknown = Glyphs.outline("\u2603", 0, 0, 10).getBounds2D().getWidth();
    assertThat(unknown).isPositive();
    "marginal ELBO = −0.123 ± σ₀w₅(%)"
        .codePoints()
        .filter(c -> c != ' ')
        .forEach(
            c -> {
              String text = Character.toString(c);
              assertThat(Glyphs.outline(text, 0, 0, 10).getBounds2D().getHeight())
                  .as(text)
                  .isPositive();
            });
  }

  @Test
  void widthGrowsWithTheSizeAndTheText() {
    assertThat(Glyphs.width("00", 20)).isCloseTo(4 * Glyphs.width("0", 10), within(1e-9));
  }

  @Test
  void textBeginsAtItsPlace() {
    var bounds = Glyphs.outline("H", 100, 50, 10).getBounds2D();
    assertThat(bounds.getX()).isBetween(100.0, 102.0);
    assertThat(bounds.getMaxY()).isCloseTo(50, within(1e-6));
  }

  @Test
  void linesBreakAtBlanks() {
    assertThat(Lines.wrap("none of all draws", Glyphs.width("none of al", 10), 10))
        .containsExactly("none of", "all draws");
  }

  @Test
  void numbersHaveARealMinus() {
    assertThat(Numerals.fixed(-0.12345, 3)).isEqualTo("−0.123");
    assertThat(Numerals.fixed(-0.0001, 3)).isEqualTo("0.000");
    assertThat(Numerals.withError(-1152.8, 13.6)).isEqualTo("−1,152.8 ± 13.6");
    assertThat(Numerals.plain(-0.1 * 3)).isEqualTo("−0.3");
  }
}
