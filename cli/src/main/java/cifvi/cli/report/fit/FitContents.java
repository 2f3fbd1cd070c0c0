package cifvi.cli.report.fit;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Contents;
import cifvi.cli.report.CurveChart;
import cifvi.cli.report.CurveSeries;
import cifvi.cli.report.Figure;
import cifvi.cli.report.FigureFolders;
import cifvi.cli.report.Html;
import cifvi.cli.report.Labels;
import cifvi.cli.report.ResultTable;
import cifvi.cli.report.RunFiles;
import cifvi.cli.report.Template;
import cifvi.experiments.fit.FitResult;
import cifvi.experiments.run.RunDirectory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The page about fits. */
public record FitContents(List<FitReportRun> all, List<String> labels) implements Contents {
  private static final List<String> UNSAID = List.of("kind");
  private static final List<String> NUMBERS =
      List.of(
          "family",
          "verdict",
          "ELBO",
          "log evidence",
          "k-hat",
          "effective sample size",
          "gradients",
          "seconds");
  private static final String UNFINISHED = "unfinished: nothing is evaluated yet.";
  private static final double FEW = 0.1;

  public static FitContents read(List<RunDirectory> directories, FigureFolders figures) {
    List<FitReportRun> all =
        directories.stream().map(run -> FitReportRun.read(run, figures.of(run))).toList();
    List<RunFiles> files = all.stream().map(FitReportRun::files).toList();
    return new FitContents(
        all, all.size() == 1 ? List.of(all.getFirst().spec().subject()) : Labels.of(files));
  }

  @Override
  public List<RunFiles> runs() {
    return all.stream().map(FitReportRun::files).toList();
  }

  @Override
  public String subject() {
    return all.stream()
        .map(run -> run.spec().subject())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  @Override
  public String overview() {
    return (all.size() == 1
            ? "One posterior was fitted."
            : Numerals.word(all.size()) + " posteriors were fitted.")
        + " The ELBO is a lower bound of the log evidence, and reaches it where the fit is exact; the"
        + " log evidence is estimated by importance sampling from the fit, and the effective sample"
        + " size says how evenly its weights are spread.";
  }

  @Override
  public List<String> unsaid() {
    return UNSAID;
  }

  @Override
  public String finding(int run) {
    return all.get(run).result().map(FitContents::sentence).orElse(UNFINISHED);
  }

  private static String sentence(FitResult r) {
    return "%s: ELBO %s, %s below the estimated log evidence %s; %s of %s draws are effective.%s"
        .formatted(
            r.family() + (r.trust() == null ? "" : ", " + r.trust().verdict().words()),
            Numerals.measured(r.elbo(), r.elboSe()),
            Numerals.estimate(r.logZ() - r.elbo()),
            Numerals.measured(r.logZ(), r.logZSe()),
            Numerals.whole(Math.round(r.ess())),
            Numerals.whole(r.draws()),
            r.notes().stream().map(note -> " " + note + ".").collect(Collectors.joining()));
  }

  @Override
  public List<String> oddities(int run) {
    Optional<FitResult> result = all.get(run).result();
    if (result.isEmpty()) {
      return List.of(UNFINISHED);
    }
    FitResult r = result.get();
    return r.ess() < FEW * r.draws()
        ? List.of("fewer than a tenth of the draws are effective.")
        : List.of();
  }

  @Override
  public String sections() {
    return Template.fill(
        Template.resource("fit.html"),
        Map.of(
            "trust", Html.join(indices().mapToObj(this::trust)),
            "ranks", figures("ranks.html", FitReportRun.RANKS, "histogram of ranks"),
            "results", table().html(),
            "parameters", Html.join(indices().mapToObj(this::parameters)),
            "margins", figures("margins.html", "margins.png", "histogram of every number"),
            "curves", curves(),
            "pairs", figures("pairs.html", "pairs.png", "points of every pair of numbers")));
  }

  private IntStream indices() {
    return IntStream.range(0, all.size());
  }

  private ResultTable table() {
    return new ResultTable(
        "± is one standard error.",
        NUMBERS,
        indices()
            .mapToObj(
                i ->
                    new ResultTable.Row(
                        i,
                        labels.get(i),
                        all.get(i).result().map(FitContents::numbers).orElse(List.of()),
                        UNFINISHED))
            .toList());
  }

  private static List<String> numbers(FitResult r) {
    return List.of(
        Html.escape(r.family()),
        r.verdict() == null ? "–" : r.verdict(),
        measured(r.elbo(), r.elboSe()),
        measured(r.logZ(), r.logZSe()),
        r.kHat() == null ? "–" : Numerals.fixed(r.kHat(), 2),
        Numerals.whole(Math.round(r.ess())) + " of " + Numerals.whole(r.draws()),
        Numerals.whole(r.gradients()),
        Numerals.fixed(r.seconds(), 1));
  }

  private static String measured(double value, double error) {
    int decimals = Numerals.decimals(error);
    return ResultTable.withError(Numerals.fixed(value, decimals), Numerals.fixed(error, decimals));
  }

  private String trust(int run) {
    return all.get(run)
        .result()
        .map(FitResult::trust)
        .map(trust -> TrustSection.html(labels.get(run), trust))
        .orElse("");
  }

  private String parameters(int run) {
    return all.get(run).result().map(r -> FitSummary.html(labels.get(run), r)).orElse("");
  }

  private String figures(String template, String file, String what) {
    return Figure.section(
        template,
        Html.join(
            indices()
                .filter(i -> all.get(i).has(file))
                .mapToObj(
                    i ->
                        new Figure(
                                labels.get(i),
                                all.get(i).figures().resolve(file),
                                "Draws of " + labels.get(i) + ": " + what + ".",
                                "")
                            .html())));
  }

  private String curves() {
    return CurveChart.ofFit(
            indices().mapToObj(i -> CurveSeries.of(labels.get(i), all.get(i).curve())).toList())
        .html();
  }
}
