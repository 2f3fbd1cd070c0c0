package cifvi.cli.report;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The settings in which the runs of a page differ, one run a row.
 *
 * @param unsaid settings that tell no runs apart, such as where the data lie
 */
public record WhatDiffers(List<RunFiles> runs, List<String> labels, List<String> unsaid) {
  private static final String PLACEMENT = "placement";

  /** The settings that the table shows. */
  public List<String> keys() {
    return runs.stream()
        .flatMap(run -> run.settings().keySet().stream())
        .distinct()
        .filter(key -> !unsaid.contains(key))
        .filter(key -> values(key).distinct().count() > 1)
        .toList();
  }

  private Stream<String> values(String key) {
    return runs.stream().map(run -> value(run, key));
  }

  /** Nothing where the names say it all. */
  public String html() {
    List<String> folders = runs.stream().map(run -> Labels.folder(run.path())).toList();
    boolean named = folders.equals(labels);
    List<String> keys =
        keys().stream().filter(key -> !values(key).toList().equals(labels)).toList();
    if (runs.size() < 2 || (keys.isEmpty() && named)) {
      return "";
    }
    Stream<String> heads =
        Stream.of(
                Stream.of("run"),
                named ? Stream.<String>of() : Stream.of("folder"),
                keys.stream().map(WhatDiffers::words))
            .flatMap(names -> names);
    String head = Html.join(heads.map(name -> Html.text("th scope=\"col\"", name)));
    String body =
        Html.join(
            IntStream.range(0, runs.size())
                .mapToObj(i -> row(i, named ? "" : Html.text("td", folders.get(i)), keys)));
    return Html.element(
        "table class=\"entries differs\"",
        Html.element("thead", Html.element("tr", head)) + Html.element("tbody", body));
  }

  private String row(int run, String folder, List<String> keys) {
    String name = Key.of(run) + Html.text("span", labels.get(run));
    return Html.element(
        "tr",
        Html.element("th scope=\"row\"", name)
            + folder
            + Html.join(keys.stream().map(key -> Html.text("td", value(runs.get(run), key)))));
  }

  /** As it is shown: of folders the last part, and a placement only where there are indices. */
  private static String value(RunFiles run, String key) {
    String value = run.setting(key);
    boolean none =
        value.isEmpty() || (key.equals(PLACEMENT) && !run.setting("model").startsWith("cif-"));
    return none
        ? "–"
        : key.equals("init_from")
            ? Labels.folder(Path.of(value))
            : value.replaceFirst("^(\\d+)\\.0$", "$1");
  }

  private static String words(String key) {
    return switch (key) {
      case "sigma0" -> "σ₀";
      case "components" -> "K";
      default -> key.replace('_', ' ');
    };
  }
}
