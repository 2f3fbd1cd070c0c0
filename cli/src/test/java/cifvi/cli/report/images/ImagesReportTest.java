package cifvi.cli.report.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.cli.report.Report;
import cifvi.cli.report.TinyImageRuns;
import cifvi.cli.report.TinyRuns;
import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about three small image runs. */
class ImagesReportTest {
  @TempDir private static Path folder;
  private static List<Path> runs = List.of();
  private static String page = "";

  @BeforeAll
  static void write() throws IOException {
    runs = TinyImageRuns.in(folder);
    page = TinyImageRuns.page(runs);
  }

  private static long count(String text, String what) {
    return Pattern.compile(what).matcher(text).results().count();
  }

  @Test
  void ofFewRunsAllIsSaidAndOfManyWhatStandsOut() {
    String two = TinyImageRuns.page(runs.subList(0, 2));
    assertThat(two)
        .contains("test log p(x) −100.00 ± 0.26 from 10 importance samples for each of 30 images")
        .contains("ELBO −105.00 ± 0.27, a gap of 4.997 ± 0.0")
        .contains("Training stopped early after 7 epochs, the last 2 of them without a better")
        .contains(
            "All 7 epochs were trained: the best, with validation bound −107.00, was epoch 5.");
    assertThat(page)
        .contains("Three runs each learn a decoder p(x|z) of binary MNIST images")
        .contains("<strong>unfinished</strong>: unfinished: nothing is tested yet.")
        .contains("unfinished, after 2 of at most 7 epochs, best validation bound −124.00 so far")
        .doesNotContain("Training stopped early", "All 7 epochs");
  }

  @Test
  void epochsBeginAtOne() {
    assertThat(page)
        .contains("<p class=\"axis across\">epoch</p>")
        .contains("<span style=\"left:0.00%\">1</span>")
        .contains("\"first\":1")
        .doesNotContain("<span style=\"left:0.00%\">0</span>");
  }

  @Test
  void tableHasTheNumbers() {
    assertThat(count(page, "<tr><th scope=\"row\"><i class=\"key")).isEqualTo(3 + 3 + 2);
    assertThat(page)
        .contains("<span>16,000</span>") // 100 images in 6.25 ms
        .contains("<span>−100.00 <small>± 0.26</small></span>")
        .contains("<span>−99.90 <small>± 0.26</small></span>")
        .contains("<span>95,953</span>");
  }

  @Test
  void differencesArePairedWithTheBest() {
    assertThat(page)
        .contains("Of those that can be compared the best is cif:")
        .containsPattern(
            "log p\\(x\\) is (1\\.0\\d+|0\\.9\\d+) ± 0\\.0\\d+ higher than that of vae")
        .contains("Means over the same 30 binary images");
  }

  @Test
  void figuresAreInsideThePageAndInTheFolders() {
    assertThat(count(page, "<img src=\"data:image/png;base64,")).isEqualTo(3 * 5);
    assertThat(count(page, "<source media=\"\\(prefers-color-scheme: dark\\)\"")).isEqualTo(3);
    assertThat(count(page, "<img [^>]*alt=\"[^\"]{20,}\"")).isEqualTo(15);
    for (Path run : runs) {
      for (String name :
          List.of("curves", "samples", "reconstructions", "traversals", "interpolations", "map")) {
        assertThat(run.resolve("figures/" + name + ".png")).isNotEmptyFile();
      }
    }
  }

  @Test
  void chartMarksTheBestEpochs() {
    assertThat(count(page, "<polyline class=\"run\\d line\"")).isEqualTo(3);
    assertThat(count(page, "<polyline class=\"run\\d beside line\"")).isEqualTo(3);
    assertThat(page).contains("<i class=\"mark run0\" style=\"left:66.67%").contains("\"epoch\"");
  }

  @Test
  void commandsRunAgain() {
    assertThat(page)
        .contains("./cifvi images</span>")
        .contains("<span>--fixed-binarisation</span>")
        .contains("<span>--clip Infinity</span>")
        .contains("<span>--limit-test 30</span>")
        .doesNotContain("--limit-train", "--data-dir");
  }

  @Test
  void nothingIsLoadedFromElsewhere() {
    assertThat(page).doesNotContain("http://", "https://", "@import", "<link", "src=\"/", "{{");
    assertThat(page.length()).isLessThan(3_000_000);
  }

  @Test
  void withoutDataThePageSaysSo() {
    String bare = TinyImageRuns.pageWithoutData(runs.subList(0, 1));
    assertThat(bare).contains("maps: MNIST is not in &lt;here&gt;");
    assertThat(count(bare, "<img src=")).isEqualTo(1);
    assertThat(bare).contains("What the decoder makes of the prior").contains("id=\"chart\"");
  }

  @Test
  void runsOfTwoKindsAreRefused() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("spec.yaml"), "kind: mog\n");
    assertThatThrownBy(
            () ->
                Report.write(
                    List.of(runs.getFirst(), other), folder.resolve("x.html"), TinyRuns.READER))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll("expected runs of one kind", "vae is images", "other is mog");
    Files.writeString(other.resolve("spec.yaml"), "kind: dance\n");
    assertThatThrownBy(
            () -> Report.write(List.of(other), folder.resolve("x.html"), TinyRuns.READER))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(
            "spec.yaml: kind: expected mog or images or fit or density, got dance");
  }
}
