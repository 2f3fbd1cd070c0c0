package cifvi.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.report.sweep.SweepPage;
import cifvi.cli.report.sweep.Table1Page;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.paper.Column;
import cifvi.experiments.paper.Differences;
import cifvi.experiments.paper.Table1;
import cifvi.experiments.sweep.Sweep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pages in a real browser: desktop and phone, light and dark. */
@Tag("browser")
class BrowserTest {
  /** Measures the page, moves a pointer over the chart, and tells the page around it. */
  private static final String PROBE =
      """
      <script>
      addEventListener("load", () => {
        const all = query => [...document.querySelectorAll(query)];
        const at = () => document.querySelector(".at")?.textContent;
        const before = at();
        const plot = document.querySelector(".plot");
        const box = plot?.getBoundingClientRect();
        plot?.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2 }));
        const columns = all(".sortable")[1]?.querySelectorAll("thead button") ?? [];
        const first = () => all(".sortable")[1]?.tBodies[0].rows[0].cells[0].textContent;
        const sorted = [3, 3].map(column => { columns[column]?.click(); return first(); }).join(" ");
        parent.postMessage(JSON.stringify({
          rows: all(".results tbody tr").length,
          images: all("img").length,
          loaded: all("img").filter(image => image.naturalWidth > 0).length,
          overflow: document.documentElement.scrollWidth - innerWidth,
          width: innerWidth,
          cut: all(".results").filter(table => table.parentNode.scrollWidth > table.parentNode.clientWidth).length,
          sorted: sorted,
          moved: before !== at(),
          values: all("output").map(output => output.textContent).join(" "),
          ground: getComputedStyle(document.body).backgroundColor
        }), "*");
      });
      </script></body>
      """;

  private static final String AROUND =
      """
      <!doctype html><meta charset="utf-8"><body style="margin:0">
      <iframe src="NAME.html" width="WIDTH" height="900" style="border:0"></iframe>
      <pre id="found"></pre>
      <script>
      addEventListener("message", event => document.getElementById("found").textContent = event.data);
      </script>
      """;

  @TempDir private static Path folder;

  @BeforeAll
  static void write() throws IOException {
    Report.writeWithFigures(TinyRuns.in(folder), folder.resolve("report.html"), TinyRuns.READER);
    probe("mog", Files.readString(folder.resolve("report.html")));
    probe("images", TinyImageRuns.page(TinyImageRuns.in(folder.resolve("images"))));
    var columns =
        Stream.of(DataSet.values())
            .flatMap(data -> Stream.of(Decoder.values()).map(decoder -> new Column(data, decoder)))
            .toList();
    var table = Table1.of(columns, ImageModel.table1(), List.of());
    Table1Page.write(table, Differences.in(table), folder.resolve("table.html"));
    Path sweep = Files.createDirectories(folder.resolve("cells"));
    SweepPage.write(
        Sweep.jobs(sweep, SweepPageTest.cells(sweep)), folder.resolve("cells/index.html"));
    probe("sweep", Files.readString(folder.resolve("cells/index.html")));
    probe("table1", Files.readString(folder.resolve("table.html")));
  }

  private static void probe(String name, String page) throws IOException {
    Files.writeString(folder.resolve(name + ".html"), page.replace("</body>", PROBE));
  }

  @ParameterizedTest
  @CsvSource({"1200, false", "1200, true", "390, false", "390, true"})
  void mixturePageIsWhole(int width, boolean dark) throws IOException, InterruptedException {
    requireWhole("mog", 3, 7, width, dark);
  }

  @ParameterizedTest
  @CsvSource({"1200, false", "1200, true", "390, false", "390, true"})
  void imagesPageIsWhole(int width, boolean dark) throws IOException, InterruptedException {
    requireWhole("images", 5, 15, width, dark);
  }

  @ParameterizedTest
  @CsvSource({"1200, false", "1200, true", "390, false", "390, true"})
  void sweepIsWholeAndSorts(int width, boolean dark) throws IOException, InterruptedException {
    JsonNode found = look("sweep", width, dark);
    assertThat(found.get("rows").asInt()).isEqualTo(2 + 4);
    assertThat(found.get("sorted").asString()).isEqualTo("nsf-seed1 cif-nsf-seed1");
  }

  @ParameterizedTest
  @CsvSource({"1200, false", "1200, true", "390, false", "390, true"})
  void table1IsWhole(int width, boolean dark) throws IOException, InterruptedException {
    JsonNode found = look("table1", width, dark);
    assertThat(found.get("rows").asInt()).isPositive();
  }

  private static void requireWhole(String name, int rows, int images, int width, boolean dark)
      throws IOException, InterruptedException {
    JsonNode found = look(name, width, dark);
    assertThat(found.get("rows").asInt()).isEqualTo(rows);
    assertThat(found.get("images").asInt()).isEqualTo(images);
    assertThat(found.get("loaded").asInt()).isEqualTo(images);
    assertThat(found.get("moved").asBoolean()).isTrue();
    assertThat(found.get("values").asString()).contains("−", "ended");
  }

  /** What the probe finds on a page of this width, which must fit and have its colours. */
  private static JsonNode look(String name, int width, boolean dark)
      throws IOException, InterruptedException {
    Path around = folder.resolve("around" + width + ".html");
    Files.writeString(
        around, AROUND.replace("NAME", name).replace("WIDTH", Integer.toString(width)));
    JsonNode found = probe(around, dark);
    assertThat(found.get("width").asInt()).isEqualTo(width);
    assertThat(found.get("overflow").asInt()).isLessThanOrEqualTo(0);
    assertThat(found.get("cut").asInt()).as("tables that scroll sideways").isZero();
    assertThat(found.get("ground").asString())
        .isEqualTo(dark ? "rgb(21, 23, 27)" : "rgb(251, 251, 250)");
    return found;
  }

  private static JsonNode probe(Path page, boolean dark) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "dom", ".html");
    Path err = Files.createTempFile(folder, "console", ".txt");
    var process =
        new ProcessBuilder(command(page, dark))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("chromium ended in time").isTrue();
    assertThat(Files.readString(err, StandardCharsets.ISO_8859_1)).doesNotContain("CONSOLE");
    String dom = Files.readString(out);
    int start = dom.indexOf('{', dom.indexOf("id=\"found\""));
    assertThat(start).as("the probe's answer in %s", dom).isPositive();
    return JsonMapper.shared().readTree(dom.substring(start, dom.indexOf('}', start) + 1));
  }

  private static List<String> command(Path page, boolean dark) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--user-data-dir=" + Files.createTempDirectory(folder, "profile"),
                "--enable-logging=stderr",
                "--window-size=1280,1000",
                "--virtual-time-budget=5000",
                "--dump-dom"));
    if (dark) {
      command.add("--blink-settings=preferredColorScheme=0");
    }
    command.add(page.toUri().toString());
    return command;
  }
}
