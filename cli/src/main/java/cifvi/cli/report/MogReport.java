package cifvi.cli.report;

import cifvi.cli.plot.Numerals;
import cifvi.experiments.run.Provenance;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The page about mixture runs: figures go into each run's folder, and one HTML file, which needs
 * nothing else, holds them together with the numbers.
 */
public final class MogReport {
  private final List<ReportRun> runs;
  private final List<String> labels;

  private MogReport(List<ReportRun> runs) {
    this.runs = runs;
    this.labels = Labels.of(runs);
  }

  /** Draws the figures of the runs and writes the page. */
  public static void write(List<Path> runs, Path out) {
    if (runs.isEmpty()) {
      throw new UserException("report: expected at least one run directory");
    }
    runs.forEach(RunDirectory::read);
    requireWritable(out);
    save(out, new MogReport(runs.stream().distinct().map(ReportRun::read).toList()).html());
  }

  private String html() {
    var figures = new FigureSections(runs, labels);
    return Template.fill(
        Template.resource("page.html"),
        Map.ofEntries(
            Map.entry("css", Template.resource("report.css")),
            Map.entry("script", Template.resource("report.js")),
            Map.entry("title", Html.escape(title())),
            Map.entry("overview", Html.escape(new Findings(runs, labels).overview())),
            Map.entry("findings", forEach("li", this::finding)),
            Map.entry("results", new ResultTable(runs).html()),
            Map.entry("densities", section("densities.html", figures.densities())),
            Map.entry("curves", curves()),
            Map.entry("layers", section("layers.html", figures.layers())),
            Map.entry("indices", section("indices.html", figures.indices())),
            Map.entry("settings", entries("spec.yaml", ReportRun::settings)),
            Map.entry("provenance", entries("provenance.json", ReportRun::provenance)),
            Map.entry("commands", forEach("div", this::command)),
            Map.entry("version", Html.escape(Provenance.VERSION))));
  }

  private String title() {
    return runs.size() == 1 ? labels.getFirst() : Numerals.word(runs.size()) + " runs compared";
  }

  private String finding(int i) {
    return Key.of(i)
        + Html.text("strong", labels.get(i))
        + ": "
        + Html.escape(new Findings(runs, labels).of(runs.get(i)));
  }

  private String curves() {
    return CurveChart.of(runs.stream().map(ReportRun::curve).toList(), labels).html();
  }

  /** The command of a run, each option kept on one line. */
  private String command(int i) {
    String words =
        Rerun.command(runs.get(i)).stream()
            .map(word -> Html.text("span", word))
            .collect(Collectors.joining(" "));
    return Html.element("p", Key.of(i) + Html.text("strong", labels.get(i)))
        + Html.element("pre", Html.element("code", words));
  }

  private String entries(String caption, Function<ReportRun, Map<String, String>> which) {
    return new EntryTable(caption, runs.stream().map(which).toList(), labels).html();
  }

  /** A section with its explanation; nothing where it has no figures. */
  private static String section(String template, String figures) {
    return figures.isEmpty()
        ? ""
        : Template.fill(Template.resource(template), Map.of("figures", figures));
  }

  private String forEach(String tag, IntFunction<String> html) {
    return Html.join(
        IntStream.range(0, runs.size()).mapToObj(i -> Html.element(tag, html.apply(i))));
  }

  /** Says at once, before anything is drawn, that the page has no place. */
  private static void requireWritable(Path out) {
    if (Files.isDirectory(out)) {
      throw new UserException("--out " + out + ": is a folder, expected a file");
    }
    try {
      Path folder = out.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
        Files.deleteIfExists(Files.createTempFile(folder, ".report", ".tmp"));
      }
    } catch (IOException e) {
      throw unwritable(out, e);
    }
  }

  private static void save(Path out, String html) {
    Path temporary = out.resolveSibling(out.getFileName() + ".tmp");
    try {
      Files.writeString(temporary, html);
      Files.move(
          temporary, out, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw unwritable(out, e);
    }
  }

  private static UserException unwritable(Path out, IOException e) {
    return new UserException("--out " + out + ": cannot be written: " + RunDirectory.reason(e), e);
  }
}
