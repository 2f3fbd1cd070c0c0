package cifvi.cli.report;

import cifvi.cli.plot.Numerals;
import cifvi.experiments.mog.MogResult;
import java.util.List;
import java.util.stream.IntStream;

/** The numbers of all runs, one run a row. */
record ResultTable(List<ReportRun> runs) {
  private static final List<String> NUMBERS =
      List.of(
          "ELBO",
          "marginal ELBO, bracket",
          "effective modes",
          "modes covered",
          "log Z",
          "parameters",
          "seconds");
  private static final List<String> SETTINGS = List.of("placement", "K", "σ₀", "steps");

  String html() {
    List<String> labels = Labels.besideSettings(runs);
    String head =
        Html.text("th scope=\"col\"", "model")
            + IntStream.range(0, SETTINGS.size() + NUMBERS.size())
                .mapToObj(i -> Html.text("th scope=\"col\"", name(i)))
                .reduce("", String::concat);
    String body =
        Html.join(
            IntStream.range(0, runs.size())
                .mapToObj(i -> row(runs.get(i), Key.of(i) + Html.text("span", labels.get(i)))));
    return Html.element(
        "table class=\"results\"",
        Html.element("caption", "± is one standard error.")
            + Html.element("thead", Html.element("tr", head))
            + Html.element("tbody", body));
  }

  private static String name(int column) {
    return column < SETTINGS.size() ? SETTINGS.get(column) : NUMBERS.get(column - SETTINGS.size());
  }

  private static String row(ReportRun run, String name) {
    var row = new StringBuilder();
    row.append(Html.element("th scope=\"row\"", name));
    List<String> settings = settings(run);
    for (int column = 0; column < settings.size(); column++) {
      row.append(cell(SETTINGS.get(column), Html.escape(settings.get(column))));
    }
    run.result()
        .ifPresentOrElse(
            result -> appendNumbers(row, result),
            () ->
                row.append(
                    Html.text(
                        "td class=\"unfinished\" colspan=\"" + NUMBERS.size() + "\"",
                        Findings.unfinished(run))));
    return Html.element("tr", row.toString());
  }

  private static List<String> settings(ReportRun run) {
    return List.of(
        run.isCif() ? run.spec().placement().toString() : "–",
        Integer.toString(run.spec().components()),
        run.spec().sigma0().toString(),
        Numerals.whole(run.spec().steps()));
  }

  private static void appendNumbers(StringBuilder row, MogResult r) {
    List<String> numbers =
        List.of(
            withError(Numerals.estimate(r.elbo()), r.elbo(), r.elboSe()),
            withError(bracket(r), r.marginalElbo(), r.marginalElboSe()),
            Numerals.fixed(r.effectiveModes(), 2),
            r.modesCovered() + " of " + r.components(),
            withError(Numerals.estimate(r.logZ()), r.logZ(), r.logZSe()),
            Numerals.whole(r.parameters()),
            Numerals.fixed(r.seconds(), 0));
    for (int column = 0; column < numbers.size(); column++) {
      row.append(cell(NUMBERS.get(column), numbers.get(column)));
    }
  }

  private static String bracket(MogResult r) {
    return "["
        + Numerals.estimate(r.marginalElboLower())
        + ", "
        + Numerals.estimate(r.marginalElbo())
        + "]";
  }

  private static String withError(String text, double value, double error) {
    return text + " " + Html.text("small", "± " + Numerals.error(value, error));
  }

  private static String cell(String name, String html) {
    return Html.element("td data-name=\"" + Html.escape(name) + "\"", Html.element("span", html));
  }
}
