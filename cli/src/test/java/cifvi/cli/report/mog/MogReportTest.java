package cifvi.cli.report.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.cli.report.Labels;
import cifvi.cli.report.Report;
import cifvi.cli.report.Rerun;
import cifvi.cli.report.RunFiles;
import cifvi.cli.report.Template;
import cifvi.cli.report.TinyRuns;
import cifvi.cli.report.WhatDiffers;
import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    Report.writeWithFigures(runs, out, TinyRuns.READER);
    page = Files.readString(out);
  }

  private static long count(String what) {
    return Pattern.compile(what).matcher(page).results().count();
  }

  @Test
  void everyRunHasARowInBothTables() {
    assertThat(count("<tr><th scope=\"row\"><i class=\"key")).isEqualTo(2 * 3);
    assertThat(page).contains("Three posteriors were each fitted to an equal mixture of 9");
    assertThat(page).contains("Of the finished runs the closest is");
  }

  @Test
  void ofManyRunsOnlyWhatStandsOutIsSaid() {
    assertThat(page)
        .doesNotContain("% of its draws are near none")
        .contains("<strong>stopped</strong>: unfinished: nothing is evaluated yet.")
        .containsPattern(
            "<strong>flow</strong>.*: more than a tenth of the draws are near no mode");
  }

  @Test
  void ofOneRunAllIsSaid() throws IOException {
    Path out = folder.resolve("made/one.html");
    Report.write(runs.subList(0, 1), out, TinyRuns.READER);
    assertThat(Files.readString(out))
        .contains("<h1>nsf</h1>")
        .containsPattern("covers \\d of 9 modes; [\\d.]+ % of its draws")
        .doesNotContain("What differs");
  }

  @Test
  void whatDecidesOnTheLastDigitsIsSaid() {
    String madeWith = page.substring(page.indexOf("Made with"));
    assertThat(madeWith).contains("commit", "changed_since", "cpu", "vectors");
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
  void oneTableHasWhatDiffersAndAnotherTheRest() {
    String differs = page.substring(page.indexOf("What differs"), page.indexOf(">Numbers<"));
    String settings = page.substring(page.indexOf("Settings"), page.indexOf("How to run"));
    assertThat(differs)
        .contains(">model<", ">σ₀<", ">placement<", "<td>10</td>", "<td>learn</td>", "<td>–</td>")
        .doesNotContain("samples", "kind", folder.toString());
    assertThat(settings)
        .contains("<th scope=\"row\">samples</th><td colspan=\"3\">50</td>")
        .doesNotContain("sigma0");
  }

  @Test
  void aPageElsewhereLeavesTheRunsAlone() throws IOException {
    Path run = Files.createDirectories(folder.resolve("untouched"));
    for (String name : List.of("spec.yaml", "metrics.csv", "result.json")) {
      Files.copy(runs.getFirst().resolve(name), run.resolve(name));
    }
    Files.createDirectories(run.resolve("checkpoints"));
    Files.copy(
        runs.getFirst().resolve("checkpoints/latest.safetensors"),
        run.resolve("checkpoints/latest.safetensors"));
    Path out = folder.resolve("made/elsewhere.html");
    assertThat(Report.write(List.of(run), out, TinyRuns.READER)).isEqualTo(out);
    assertThat(Files.readString(out)).contains("src=\"data:image/png;base64,");
    assertThat(run.resolve("figures")).doesNotExist();
    assertThat(run.resolve("report.html")).doesNotExist();
  }

  @Test
  void namesAreShort() {
    assertThat(Labels.of(files("runs/a", "runs/b"))).containsExactly("a", "b");
    assertThat(Labels.of(files("x/seed1", "y/seed1"))).containsExactly("A", "B");
    assertThat(Labels.of(files("x", "a-name-of-a-folder-that-is-much-too-long")))
        .containsExactly("A", "B");
    assertThat(Labels.of(files("x"))).containsExactly("cif-nsf (paper)");
  }

  private static List<RunFiles> files(String... paths) {
    return Stream.of(paths)
        .map(
            path ->
                new RunFiles(
                    Path.of(path), Map.of("model", "cif-nsf", "placement", "paper"), Map.of()))
        .toList();
  }

  @Test
  void ofAnInitialRunOnlyTheNameIsShown() {
    var from = new RunFiles(Path.of("x"), Map.of("init_from", "/home/me/runs/flow"), Map.of());
    var differs =
        new WhatDiffers(List.of(from, files("y").getFirst()), List.of("x", "y"), List.of());
    assertThat(differs.html()).contains("<td>flow</td>").doesNotContain("/home/me");
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
    assertThat(page).contains("id=\"curves\">{\"", "<p class=\"axis across\">step</p>");
    assertThat(page).contains("<span style=\"left:0.00%\">0</span>");
  }

  @Test
  void piecesAreNotTakenForPlaces() {
    assertThat(Template.fill("{{a}} {{b}}", Map.of("a", "{{b}} $1", "b", "x")))
        .isEqualTo("{{b}} $1 x");
  }

  @Test
  void aFolderThatIsNoRunIsRefused() {
    assertThatThrownBy(
            () -> Report.write(List.of(folder), folder.resolve("x.html"), TinyRuns.READER))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("is not a run directory");
    assertThat(folder.resolve("x.html")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "flow/spec.yaml/report.html"})
  void aPlaceThatCannotBeWrittenIsRefused(String out) {
    assertThatThrownBy(() -> Report.write(runs, folder.resolve(out), TinyRuns.READER))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("--out " + folder);
  }
}
