package cifvi.cli.report;

import cifvi.cli.plot.Numerals;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One HTML text, which needs nothing else. */
public record Page(Contents contents) {
  public String html() {
    return Frame.around(
        title(),
        "page.html",
        Map.ofEntries(
            Map.entry("script", Template.resource("report.js")),
            Map.entry("title", Html.escape(title())),
            Map.entry("subject", Html.escape(contents.subject())),
            Map.entry("overview", Html.escape(contents.overview())),
            Map.entry("findings", new Findings(contents).html()),
            Map.entry("differs", differs()),
            Map.entry("sections", contents.sections()),
            Map.entry("settings", entries("spec.yaml", this::undisputed)),
            Map.entry("provenance", entries("provenance.json", RunFiles::provenance)),
            Map.entry("commands", forEach("div", this::command))));
  }

  private List<String> labels() {
    return contents.labels();
  }

  private String title() {
    return labels().size() == 1
        ? labels().getFirst()
        : Numerals.word(labels().size()) + " runs compared";
  }

  private WhatDiffers whatDiffers() {
    return new WhatDiffers(contents.runs(), labels(), contents.unsaid());
  }

  private String differs() {
    String table = whatDiffers().html();
    return table.isEmpty()
        ? ""
        : Template.fill(Template.resource("differs.html"), Map.of("table", table));
  }

  /** The settings that the table of differences does not show already. */
  private Map<String, String> undisputed(RunFiles run) {
    var settings = new LinkedHashMap<>(run.settings());
    if (labels().size() > 1) {
      whatDiffers().keys().forEach(settings::remove);
    }
    return settings;
  }

  private String named(int i) {
    return Key.of(i) + Html.text("strong", labels().get(i));
  }

  /** The command of a run, each option kept on one line. */
  private String command(int i) {
    String words =
        Rerun.command(contents.runs().get(i)).stream()
            .map(word -> Html.text("span", word))
            .collect(Collectors.joining(" "));
    return Html.element("p", named(i)) + Html.element("pre", Html.element("code", words));
  }

  private String entries(String caption, Function<RunFiles, Map<String, String>> which) {
    return new EntryTable(caption, contents.runs().stream().map(which).toList(), labels()).html();
  }

  private String forEach(String tag, IntFunction<String> html) {
    return Html.join(
        IntStream.range(0, labels().size()).mapToObj(i -> Html.element(tag, html.apply(i))));
  }
}
