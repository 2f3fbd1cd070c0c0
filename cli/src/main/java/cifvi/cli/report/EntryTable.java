package cifvi.cli.report;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Entries of all runs, one run a column; what is the same for all is written once.
 *
 * @param entries of each run
 */
public record EntryTable(String caption, List<Map<String, String>> entries, List<String> labels) {
  public String html() {
    List<String> keys =
        entries.stream()
            .flatMap(map -> map.keySet().stream())
            .distinct()
            .filter(this::isSet)
            .toList();
    String head = keys.stream().allMatch(this::isShared) ? "" : head();
    return Html.element(
        "table class=\"entries\"",
        Html.text("caption", caption)
            + head
            + Html.element("tbody", Html.join(keys.stream().map(this::row))));
  }

  private String head() {
    String runs =
        Html.join(
            IntStream.range(0, labels.size())
                .mapToObj(
                    i ->
                        Html.element(
                            "th scope=\"col\"", Key.of(i) + Html.text("span", labels.get(i)))));
    return Html.element("thead", Html.element("tr", Html.text("th scope=\"col\"", "") + runs));
  }

  private List<String> values(String key) {
    return entries.stream().map(map -> map.getOrDefault(key, "")).toList();
  }

  private boolean isSet(String key) {
    return values(key).stream().anyMatch(value -> !value.isEmpty());
  }

  private boolean isShared(String key) {
    return values(key).stream().distinct().count() == 1;
  }

  private String row(String key) {
    List<String> values = values(key);
    String cells =
        isShared(key)
            ? Html.text("td colspan=\"" + values.size() + "\"", values.getFirst())
            : Html.join(values.stream().map(value -> Html.text("td", value)));
    return Html.element("tr", Html.text("th scope=\"row\"", key) + cells);
  }
}
