package cifvi.cli.report.sweep;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Html;
import cifvi.cli.report.SortableTable;
import cifvi.experiments.sweep.Job;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What a sweep found for each setting: mean and standard error over its seeds. */
public record SweepMeans(List<Job> jobs) {
  private static final String SEED = "seed";
  private static final String MODES = "modes_covered";

  /** Nothing where no setting has several seeds. */
  public String html() {
    SequencedMap<List<String>, List<Job>> groups = groups();
    if (groups.values().stream().noneMatch(group -> group.size() > 1)) {
      return "";
    }
    List<String> keys = keys();
    List<String> numbers =
        SweepNumbers.found(
            Stream.concat(SweepNumbers.ESTIMATES.stream(), Stream.of(MODES)).toList(),
            jobs.stream().map(Job::result).toList());
    List<String> head =
        Stream.of(
                keys.isEmpty() ? Stream.of("setting") : keys.stream(),
                Stream.of("seeds done"),
                numbers.stream())
            .flatMap(names -> names)
            .map(SweepNumbers::words)
            .toList();
    String body =
        Html.join(
            groups.entrySet().stream()
                .map(group -> row(keys, group.getKey(), group.getValue(), numbers)));
    return SortableTable.html("± is the standard error over seeds.", head, body);
  }

  /** The options that vary besides the seed. */
  private List<String> keys() {
    return jobs.stream()
        .flatMap(job -> job.cell().varying().stream())
        .distinct()
        .filter(key -> !key.equals(SEED))
        .toList();
  }

  private SequencedMap<List<String>, List<Job>> groups() {
    var groups = new LinkedHashMap<List<String>, List<Job>>();
    for (Job job : jobs) {
      List<String> setting =
          keys().stream().map(key -> job.cell().options().getOrDefault(key, "")).toList();
      groups.computeIfAbsent(setting, _ -> new ArrayList<>()).add(job);
    }
    return groups;
  }

  private static String row(
      List<String> keys, List<String> setting, List<Job> group, List<String> numbers) {
    List<JsonNode> results = group.stream().map(Job::result).flatMap(Optional::stream).toList();
    String first = Html.text("th scope=\"row\"", keys.isEmpty() ? "all" : setting.getFirst());
    var cells = new ArrayList<String>(List.of(first));
    for (int i = 1; i < keys.size(); i++) {
      cells.add(Html.cell(SweepNumbers.words(keys.get(i)), Html.escape(setting.get(i))));
    }
    cells.add(Html.cell("seeds done", results.size() + " of " + group.size()));
    numbers.forEach(key -> cells.add(number(results, key)));
    return Html.element("tr", Html.join(cells.stream()));
  }

  private static String number(List<JsonNode> results, String key) {
    var moments = new Moments();
    results.stream()
        .map(result -> result.path(key))
        .filter(JsonNode::isNumber)
        .forEach(value -> moments.add(value.asDouble()));
    if (moments.count() == 0) {
      return Html.cell(SweepNumbers.words(key), "–");
    }
    Estimate e = moments.estimate();
    String text =
        key.equals(MODES)
            ? results.stream().map(r -> r.path(key).asString()).collect(Collectors.joining(", "))
            : moments.count() == 1
                ? Numerals.estimate(e.mean())
                : Html.withError(e.mean(), e.standardError());
    return Html.cell(SweepNumbers.words(key), text, e.mean());
  }
}
