package cifvi.cli.report.fit;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Html;
import cifvi.diagnostics.Comparison;
import cifvi.diagnostics.Trust;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Whether to believe a fit: the verdict first, then why, what to try, and the numbers. */
final class TrustSection {
  private TrustSection() {}

  static String html(String label, Trust trust) {
    String html =
        Html.text("h3", label + ": " + trust.verdict().words())
            + Html.element(
                "ul", Html.join(trust.why().stream().map(fact -> Html.text("li", fact))));
    if (!trust.next().isEmpty()) {
      html += Html.text("p", "To try: " + String.join("; ", trust.next()) + ".");
    }
    return html + numbers(trust) + reference(trust);
  }

  private static String numbers(Trust trust) {
    var rows = new ArrayList<String>();
    weights(rows, trust.bracket() == null ? "" : " of the joint weights", trust.joint());
    if (trust.marginal() != null) {
      weights(rows, " of q(z) itself", trust.marginal());
    }
    if (trust.wide() != null) {
      weights(rows, " of draws that reach further out", trust.wide());
    }
    Trust.Bracket bracket = trust.bracket();
    if (bracket != null) {
      rows.add(row("marginal ELBO", between(bracket.lower(), bracket.upper())));
      rows.add(
          row("slack E KL(q(u|z) ‖ r(u|z))", between(bracket.slackLower(), bracket.slackUpper())));
      rows.addAll(
          IntStream.range(0, trust.indexWorth().size())
              .mapToObj(
                  l ->
                      row(
                          "ELBO lost with u" + (l + 1) + " at its mean",
                          Numerals.measured(
                              trust.indexWorth().get(l).mean(),
                              trust.indexWorth().get(l).standardError())))
              .toList());
    }
    rows.add(row("density calls of this report", Numerals.whole(trust.calls())));
    return Html.element("table class=\"results\"", Html.element("tbody", String.join("", rows)));
  }

  private static void weights(List<String> rows, String of, Trust.Weights weights) {
    rows.add(
        row(
            "Pareto k-hat" + of,
            (weights.kHat() == null ? "unknown" : text(weights.kHat()))
                + ", reliable below "
                + text(weights.kHatThreshold())));
    rows.add(row("effective sample size" + of, Numerals.whole(Math.round(weights.ess()))));
    rows.add(
        row(
            "log evidence" + of,
            Numerals.measured(weights.logEvidence(), weights.logEvidenceError())));
  }

  private static String reference(Trust trust) {
    Comparison reference = trust.reference();
    if (reference == null) {
      return "";
    }
    String bound =
        reference.eubo() == null || reference.euboError() == null
            ? "no upper bound of the evidence: " + reference.note()
            : "log evidence at most " + Numerals.measured(reference.eubo(), reference.euboError());
    List<String> columns = List.of("mean", "sd", "1-Wasserstein", "weighted mean", "weighted sd");
    String head =
        Html.text("th scope=\"col\"", "parameter")
            + Html.join(columns.stream().map(name -> Html.text("th scope=\"col\"", name)));
    String body = Html.join(reference.margins().stream().map(margin -> margin(margin, columns)));
    String caption =
        "Errors beside "
            + Numerals.whole(reference.draws())
            + " reference draws, in standard deviations of the reference; "
            + bound;
    return Html.element(
        "table class=\"results\"",
        Html.text("caption", caption)
            + Html.element("thead", Html.element("tr", head))
            + Html.element("tbody", body));
  }

  private static String margin(Comparison.Margin margin, List<String> columns) {
    double[] numbers = {
      margin.mean(), margin.sd(), margin.wasserstein(), margin.weightedMean(), margin.weightedSd()
    };
    return Html.element(
        "tr",
        Html.text("th scope=\"row\"", margin.name())
            + Html.join(
                IntStream.range(0, numbers.length)
                    .mapToObj(i -> Html.cell(columns.get(i), Html.escape(text(numbers[i]))))));
  }

  private static String row(String name, String value) {
    return Html.element(
        "tr", Html.text("th scope=\"row\"", name) + Html.cell(name, Html.escape(value)));
  }

  private static String between(double low, double high) {
    return "%s to %s".formatted(text(low), text(high));
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.3f", value).replace('-', '−');
  }
}
