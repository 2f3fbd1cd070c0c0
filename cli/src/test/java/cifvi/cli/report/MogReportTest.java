package cifvi.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.run.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about three small runs. */
class MogReportTest {
  @TempDir private static Path folder;
  private static List<Path> runs = List.of();
  private static String page = "";

  @BeforeAll
  static void write() throws IOException {
    runs = TinyRuns.in(folder);
    Path out = folder.resolve("made/report.html");
    Report.write(runs, out);
    page = Files.readString(out);
  }

  private static long count(String what) {
    return Pattern.compile(what).matcher(page).results().count();
  }

  @Test
  void everyRunHasARowAndASentence() {
    assertThat(count("<tr><th scope=\"row\"><i class=\"key")).isEqualTo(3);
    assertThat(page).contains("Three posteriors were each fitted to an equal mixture of 9");
    assertThat(page).contains("Of the finished runs the closest is");
    assertThat(page).containsPattern("covers \\d of 9 modes; [\\d.]+ % of its draws");
  }

  @Test
  void theStoppedRunIsShownAsUnfinished() {
    assertThat(page).contains("unfinished, after 7 of 20 steps");
  }

  @Test
  void figuresAreInsideThePageAndInTheFolders() {
    assertThat(count("src=\"data:image/png;base64,")).isEqualTo(3 + 3 + 1);
    assertThat(count("<img [^>]*alt=\"[^\"]{20,}\"")).isEqualTo(7);
    for (Path run : runs) {
      assertThat(run.resolve("figures/curves.png")).isNotEmptyFile();
      assertThat(run.resolve("figures/density.png")).isNotEmptyFile();
      assertThat(run.resolve("figures/layers.png")).isNotEmptyFile();
    }
    assertThat(runs.get(0).resolve("figures/index.png")).doesNotExist();
    assertThat(runs.get(1).resolve("figures/index.png")).isNotEmptyFile();
  }

  @Test
  void nothingIsLoadedFromElsewhere() {
    assertThat(page).doesNotContain("http://", "https://", "@import", "<link", "src=\"/");
    assertThat(page.length()).isLessThan(3_000_000);
  }

  @Test
  void namesAreEscaped() {
    assertThat(page).doesNotContain("a <b>").contains("a &lt;b&gt; &amp; &quot;c&quot; ");
    assertThat(page).doesNotContain("{{");
  }

  @Test
  void settingsThatDifferAreMarked() {
    assertThat(page).contains("sigma0 <em class=\"differs\">differs</em>");
    assertThat(page).doesNotContain("samples <em class=\"differs\">");
  }

  @Test
  void commandsRunAgain() {
    assertThat(page)
        .contains("<span>--model cif-nsf</span>")
        .contains("<span>--sigma0 learn</span>")
        .contains("<span>--lr-schedule constant</span>")
        .contains("flow-again</span>");
    assertThat(Rerun.quote("it's")).isEqualTo("'it'\\''s'");
  }

  @Test
  void chartHasALineForEachRunAndItsData() {
    assertThat(count("<polyline class=\"run\\d line\"")).isEqualTo(3);
    assertThat(page).contains("id=\"curves\">{\"");
  }

  @Test
  void piecesAreNotTakenForPlaces() {
    assertThat(Template.fill("{{a}} {{b}}", Map.of("a", "{{b}} $1", "b", "x")))
        .isEqualTo("{{b}} $1 x");
  }

  @Test
  void aFolderThatIsNoRunIsRefused() {
    assertThatThrownBy(() -> Report.write(List.of(folder), folder.resolve("x.html")))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("is not a run directory");
    assertThat(folder.resolve("x.html")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "flow/spec.yaml/report.html"})
  void aPlaceThatCannotBeWrittenIsRefused(String out) {
    assertThatThrownBy(() -> Report.write(runs, folder.resolve(out)))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("--out " + folder);
  }
}
