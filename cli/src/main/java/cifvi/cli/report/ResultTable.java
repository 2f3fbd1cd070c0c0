package cifvi.cli.report;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The numbers of all runs, one run a row.
 *
 * @param numbers names of the columns that a finished run fills
 */
public record ResultTable(String caption, List<String> numbers, List<Row> rows) {
  /**
   * One run.
   *
   * @param run its number on the page
   * @param numbers as HTML; none for a run that is unfinished
   * @param instead what an unfinished run says
   */
  public record Row(int run, String label, List<String> numbers, String instead) {}

  public String html() {
    String head =
        Html.join(
            Stream.concat(Stream.of("run"), numbers.stream())
                .map(name -> Html.text("th scope=\"col\"", name)));
    String body = Html.join(rows.stream().map(this::row));
    return Html.element(
        "table class=\"results\"",
        Html.element("caption", caption)
            + Html.element("thead", Html.element("tr", head))
            + Html.element("tbody", body));
  }

  private String row(Row row) {
    String unfinished = "td class=\"unfinished\" colspan=\"" + numbers.size() + "\"";
    return Html.element(
        "tr",
        Html.element("th scope=\"row\"", Key.of(row.run) + Html.text("span", row.label))
            + (row.numbers.isEmpty() ? Html.text(unfinished, row.instead) : cells(row.numbers)));
  }

  private String cells(List<String> html) {
    return Html.join(
        IntStream.range(0, numbers.size()).mapToObj(i -> Html.cell(numbers.get(i), html.get(i))));
  }

  /** A text with the standard error of what it says. */
  public static String withError(String text, String error) {
    return Html.escape(text) + " " + Html.text("small", "± " + error);
  }
}
