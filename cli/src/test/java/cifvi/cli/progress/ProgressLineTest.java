package cifvi.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The line that follows long work. */
class ProgressLineTest {
  @ParameterizedTest
  @CsvSource({"200, true", "75, true", "60, false", "30, false", "10, false"})
  void fitsTheTerminal(int columns, boolean barred) {
    var bytes = new ByteArrayOutputStream();
    var line =
        new ProgressLine(new PrintStream(bytes, true, StandardCharsets.UTF_8), true, columns);
    line.show("cif-nsf", 20_000, 20_000, "ELBO -0.123");
    String shown = bytes.toString(StandardCharsets.UTF_8).strip().replace("\033[K", "");
    assertThat(shown).startsWith("cif-nsf").hasSizeLessThan(columns);
    assertThat(shown.contains("█")).isEqualTo(barred);
    assertThat(shown.endsWith("in 0:00")).isEqualTo(columns > 50);
  }
}
