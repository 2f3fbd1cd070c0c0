package cifvi.cli.report.sweep;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Figure;
import cifvi.cli.report.Frame;
import cifvi.cli.report.Html;
import cifvi.cli.report.SortableTable;
import cifvi.cli.report.Template;
import cifvi.cli.report.fit.FitReportRun;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.scoreboard.Score;
import cifvi.experiments.scoreboard.WorstErrors;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scoreboard as a page: a table for every posterior, and a picture of its best fit.
 *
 * @param folder of the fits
 */
public record ScoreboardPage(List<Score> scores, Path folder) {
  private static final List<String> COLUMNS =
      List.of(
          "method",
          "seed",
          "ELBO",
          "log Z",
          "k-hat",
          "ESS, %",
          "errors",
          "resampled",
          "gradients",
          "seconds",
          "verdict");

  public static void write(List<Score> scores, Path folder, Path out) {
    WholeFile.replace(out, new ScoreboardPage(scores, folder).html());
  }

  private String html() {
    return Frame.around(
        "Posteriors",
        "posteriors.html",
        Map.of(
            "posteriors",
            Html.join(scores.stream().map(Score::posterior).distinct().map(this::section)),
            "script",
            Template.resource("sort.js")));
  }

  private String section(String posterior) {
    List<Score> here = scores.stream().filter(s -> s.posterior().equals(posterior)).toList();
    Double logZ = here.getFirst().knownLogZ();
    return Template.fill(
        Template.resource("posterior.html"),
        Map.of(
            "name", Html.escape(posterior),
            "known", logZ == null ? "" : "Known: log Z = " + Numerals.fixed(logZ, 4) + ".",
            "table",
                SortableTable.html(
                    "± is one standard error.",
                    COLUMNS,
                    Html.join(here.stream().map(ScoreboardPage::row))),
            "figure", figure(posterior, here)));
  }

  private static String row(Score s) {
    boolean kept = s.family() != null && !s.family().equals(s.method());
    List<String> cells =
        List.of(
            s.seed() == null ? "" : s.seed().toString(),
            measured(s.elbo(), s.elboSe()),
            measured(s.logZ(), s.logZSe()),
            fixed(s.kHat(), 2),
            s.effectiveShare() == null ? "" : fixed(100 * s.effectiveShare(), 0),
            errors(s.drawn()),
            errors(s.resampled()),
            fixed(s.gradients(), 0),
            fixed(s.seconds(), 1),
            s.verdict() == null ? "" : s.verdict());
    var row = new StringBuilder();
    row.append(Html.text("th scope=\"row\"", s.method() + (kept ? " (" + s.family() + ")" : "")));
    for (int i = 0; i < cells.size(); i++) {
      row.append(Html.cell(COLUMNS.get(i + 1), cells.get(i)));
    }
    return Html.element("tr", row.toString());
  }

  /** Of the fit with the best bound. */
  private String figure(String posterior, List<Score> here) {
    return here.stream()
        .filter(score -> score.elbo() != null)
        .max(Comparator.comparingDouble(ScoreboardPage::elbo))
        .map(score -> picture(posterior, score))
        .orElse("");
  }

  private static double elbo(Score score) {
    return score.elbo() == null ? Double.NEGATIVE_INFINITY : score.elbo();
  }

  private String picture(String posterior, Score best) {
    Path run = folder.resolve("%s-%s-seed%d".formatted(posterior, best.method(), best.seed()));
    var drawn = FitReportRun.read(RunDirectory.read(run), run.resolve("figures"));
    String file = drawn.has("pairs.png") ? "pairs.png" : "margins.png";
    String label = "%s, seed %d".formatted(best.method(), best.seed());
    return new Figure(
            label,
            drawn.figures().resolve(file),
            "Draws of the fit with the best bound.",
            "has the best bound: draws of its first numbers.")
        .html();
  }

  private static String measured(@Nullable Double value, @Nullable Double error) {
    return value == null || error == null
        ? ""
        : Numerals.fixed(value, 3) + " " + Html.text("small", "± " + Numerals.fixed(error, 3));
  }

  private static String errors(@Nullable WorstErrors errors) {
    return errors == null ? "" : fixed(errors.mean(), 3) + " · " + fixed(errors.sd(), 3);
  }

  private static String fixed(@Nullable Double value, int digits) {
    return value == null || value.isNaN() ? "" : Numerals.fixed(value, digits);
  }
}
