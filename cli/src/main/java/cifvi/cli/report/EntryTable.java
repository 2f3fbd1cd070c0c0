package cifvi.cli.report;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Entries of all runs, one run a column; a row in which they differ is marked. */
record EntryTable(String caption, List<Map<String, String>> entries, List<String> labels) {
  String html() {
    String head =
        Html.text("th scope=\"col\"", "setting")
            + Html.join(
                IntStream.range(0, labels.size())
                    .mapToObj(
                        i ->
                            Html.element(
                                "th scope=\"col\"", Key.of(i) + Html.text("span", labels.get(i)))));
    String body =
        Html.join(
            entries.stream()
                .flatMap(map -> map.keySet().stream())
                .distinct()
                .filter(this::isSet)
                .map(this::row));
    return Html.element(
        "table class=\"entries\"",
        Html.text("caption", caption)
            + Html.element("thead", Html.element("tr", head))
            + Html.element("tbody", body));
  }

  private boolean isSet(String key) {
    return entries.stream().anyMatch(map -> !map.getOrDefault(key, "").isEmpty());
  }

  private String row(String key) {
    List<String> values = entries.stream().map(map -> map.getOrDefault(key, "")).toList();
    boolean differs = values.stream().distinct().count() > 1;
    String name = Html.escape(key) + (differs ? " <em class=\"differs\">differs</em>" : "");
    return Html.element(
        differs ? "tr class=\"differs\"" : "tr",
        Html.element("th scope=\"row\"", name)
            + Html.join(values.stream().map(value -> Html.text("td", value))));
  }
}
