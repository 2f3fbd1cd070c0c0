package cifvi.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is said of the runs: of one or two all that came out, of more only what stands out. */
public record Findings(Contents contents) {
  private static final int MOST_IN_FULL = 2;

  public String html() {
    List<String> items = contents.labels().size() <= MOST_IN_FULL ? inFull() : standingOut();
    return items.isEmpty()
        ? ""
        : Html.element(
            "ul class=\"findings\"", Html.join(items.stream().map(i -> Html.element("li", i))));
  }

  private List<String> inFull() {
    return IntStream.range(0, contents.labels().size())
        .mapToObj(i -> named(i) + ": " + Html.escape(contents.finding(i)))
        .toList();
  }

  /** A sentence for every oddity, behind the names of all runs that have it. */
  private List<String> standingOut() {
    var runs = new LinkedHashMap<String, List<Integer>>();
    for (int i = 0; i < contents.labels().size(); i++) {
      for (String oddity : contents.oddities(i)) {
        runs.computeIfAbsent(oddity, _ -> new ArrayList<>()).add(i);
      }
    }
    return runs.entrySet().stream()
        .map(
            entry ->
                entry.getValue().stream().map(this::named).collect(Collectors.joining(", "))
                    + ": "
                    + Html.escape(entry.getKey()))
        .toList();
  }

  private String named(int run) {
    return Key.of(run) + Html.text("strong", contents.labels().get(run));
  }
}
