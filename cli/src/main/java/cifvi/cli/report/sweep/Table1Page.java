package cifvi.cli.report.sweep;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Frame;
import cifvi.cli.report.Html;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.paper.Column;
import cifvi.experiments.paper.Differences;
import cifvi.experiments.paper.Differences.Pair;
import cifvi.experiments.paper.ImageRun;
import cifvi.experiments.paper.Method;
import cifvi.experiments.paper.PairedDifference;
import cifvi.experiments.paper.PaperTable1;
import cifvi.experiments.paper.Table1;
import cifvi.experiments.paper.Table1.Cell;
import cifvi.vi.Estimate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Table 1 as a page: ours beside the paper's, every cell with the way to its runs. */
public record Table1Page(Table1 table, Differences paired, Path folder) {
  private static final int DIGITS = 2;

  public static void write(Table1 table, Differences differences, Path out) {
    Path folder = out.toAbsolutePath().normalize().getParent();
    WholeFile.replace(
        out, new Table1Page(table, differences, folder == null ? out : folder).html());
  }

  private String html() {
    return Frame.around(
        "Table 1",
        "table1.html",
        Map.of(
            "overview", Html.escape(overview()),
            "fresh", fresh(),
            "fixed", fixed(),
            "paired", differences()));
  }

  private String overview() {
    long cells = (long) table.rows().size() * table.columns().size();
    long filled =
        table.rows().stream()
            .flatMap(
                row ->
                    table.columns().stream().map(c -> table.cell(row, c, TestBinarisation.FRESH)))
            .filter(cell -> cell.ours().isPresent())
            .count();
    return filled + " of " + cells + " cells have a finished run.";
  }

  private String fresh() {
    return rows(
        List.of("ours", "paper"),
        table.rows(),
        Method::label,
        (method, column) ->
            cell(method, column, TestBinarisation.FRESH)
                + Html.cell(
                    "paper",
                    estimate(
                        PaperTable1.value(method.model(), column),
                        PaperTable1.isBold(method.model(), column))));
  }

  private String fixed() {
    return rows(
        List.of("ours"),
        table.rows(),
        Method::label,
        (method, column) -> cell(method, column, TestBinarisation.FIXED));
  }

  private String differences() {
    List<Pair> pairs =
        Differences.pairs(table.rows()).stream()
            .filter(pair -> table.columns().stream().anyMatch(c -> find(pair, c).isPresent()))
            .toList();
    return rows(
        List.of("difference"),
        pairs,
        Pair::label,
        (pair, column) ->
            Html.cell(column.label(), find(pair, column).map(Table1Page::difference).orElse("–")));
  }

  private Optional<PairedDifference> find(Pair pair, Column column) {
    return Optional.ofNullable(paired.of(column).get(pair));
  }

  private interface OfColumn<R> {
    String html(R row, Column column);
  }

  /**
   * A table with the columns of Table 1.
   *
   * @param parts what each of them has
   */
  private <R> String rows(
      List<String> parts, List<R> rows, Function<R, String> label, OfColumn<R> cells) {
    String columns =
        Html.join(
            table.columns().stream()
                .map(c -> Html.text("th colspan=\"" + parts.size() + "\"", c.label())));
    String names =
        Html.join(
            table.columns().stream()
                .flatMap(_ -> parts.stream())
                .map(part -> Html.text("th scope=\"col\"", part)));
    String head =
        Html.element("tr", Html.text("th", "") + columns)
            + (parts.size() == 1 ? "" : Html.element("tr", Html.text("th", "") + names));
    String body =
        Html.join(
            rows.stream()
                .map(
                    row ->
                        Html.text("th scope=\"row\"", label.apply(row))
                            + Html.join(table.columns().stream().map(c -> cells.html(row, c))))
                .map(row -> Html.element("tr", row)));
    return Html.element(
        "table class=\"results numbers\"",
        Html.element("thead", head) + Html.element("tbody", body));
  }

  private String cell(Method method, Column column, TestBinarisation binarisation) {
    Cell cell = table.cell(method, column, binarisation);
    String notes =
        Stream.of(
                cell.runs().isEmpty() ? "" : "seed " + links(cell.runs()),
                Html.escape(String.join(", ", cell.caveats())),
                cell.unfinished().isEmpty() ? "" : "unfinished " + links(cell.unfinished()))
            .filter(note -> !note.isEmpty())
            .collect(Collectors.joining(" · "));
    return Html.cell(
        column.label(),
        estimate(cell.ours(), cell.bold())
            + (notes.isEmpty() ? "" : Html.element("small class=\"notes\"", notes)));
  }

  /** The seeds, each the way to its run. */
  private String links(List<ImageRun> runs) {
    return runs.stream()
        .map(
            run ->
                Html.link(
                    folder.relativize(run.path().toAbsolutePath().normalize()) + "/",
                    Long.toString(run.seed())))
        .collect(Collectors.joining(" "));
  }

  private static String estimate(Optional<Estimate> estimate, boolean bold) {
    return estimate
        .map(e -> Html.element(bold ? "strong" : "span", number(e.mean(), e.standardError())))
        .orElse("–");
  }

  private static String number(double mean, double error) {
    return Numerals.fixed(mean, DIGITS)
        + (Double.isNaN(error)
            ? ""
            : " " + Html.text("small", "± " + Numerals.fixed(error, DIGITS)));
  }

  private static String difference(PairedDifference found) {
    Estimate d = found.difference();
    String seeds = found.seeds().size() == 1 ? "1 seed" : found.seeds().size() + " seeds";
    return (d.mean() > 0 ? "+" : "")
        + Numerals.fixed(d.mean(), DIGITS + 1)
        + " "
        + Html.text("small", "± " + Numerals.fixed(d.standardError(), DIGITS + 1))
        + Html.text("small class=\"notes\"", seeds + ", S = " + found.samples());
  }
}
