package cifvi.cli.report;

import java.util.List;

/** A table whose columns sort it; {@code sort.js} does the work. */
public final class SortableTable {
  private SortableTable() {}

  /** With these columns around rows of HTML. */
  public static String html(String caption, List<String> columns, String rows) {
    String head =
        Html.join(
            columns.stream()
                .map(name -> Html.element("th scope=\"col\"", Html.text("button", name))));
    return Html.element(
        "table class=\"results sortable\"",
        Html.text("caption", caption)
            + Html.element("thead", Html.element("tr", head))
            + Html.element("tbody", rows));
  }
}
