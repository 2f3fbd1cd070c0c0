package cifvi.cli.report.fit;

import cifvi.cli.report.Html;
import cifvi.experiments.fit.FitResult;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What the draws of a fit say of every number. */
public final class FitSummary {
  private static final int MOST = 60;
  private static final List<String> COLUMNS = List.of("mean", "sd", "5 %", "50 %", "95 %");

  private FitSummary() {}

  public static String html(String label, FitResult result) {
    String head =
        Html.join(
            Stream.concat(Stream.of("parameter"), COLUMNS.stream())
                .map(name -> Html.text("th scope=\"col\"", name)));
    String body = Html.join(result.summary().stream().limit(MOST).map(FitSummary::row));
    int left = result.summary().size() - MOST;
    return Html.element(
        "table class=\"results\"",
        Html.text("caption", label + (left > 0 ? ", the first " + MOST + " numbers" : ""))
            + Html.element("thead", Html.element("tr", head))
            + Html.element("tbody", body));
  }

  private static String row(FitResult.Summary row) {
    double[] numbers = {row.mean(), row.sd(), row.q05(), row.q50(), row.q95()};
    var cells = new StringBuilder(Html.text("th scope=\"row\"", row.name()));
    for (int i = 0; i < numbers.length; i++) {
      cells.append(
          Html.cell(
              COLUMNS.get(i),
              Html.escape(String.format(Locale.ROOT, "%.4g", numbers[i]).replace('-', '−'))));
    }
    return Html.element("tr", cells.toString());
  }
}
