package cifvi.cli.report.density;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.ChartTexts;
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
import cifvi.experiments.density.DensityResult;
import cifvi.experiments.run.RunDirectory;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The page about density runs. */
public record DensityContents(List<DensityReportRun> all, List<String> labels) implements Contents {
  private static final List<String> UNSAID = List.of("kind");
  private static final List<String> NUMBERS =
      List.of("test log-likelihood", "bias", "test ELBO", "parameters", "steps", "seconds");
  private static final String UNFINISHED = "unfinished: nothing is evaluated yet.";

  public static DensityContents read(
      List<RunDirectory> directories, @Nullable String device, FigureFolders figures) {
    List<DensityReportRun> all =
        directories.stream()
            .map(run -> DensityReportRun.read(run, device, figures.of(run)))
            .toList();
    return new DensityContents(all, Labels.of(files(all)));
  }

  private static List<RunFiles> files(List<DensityReportRun> all) {
    return all.stream().map(DensityReportRun::files).toList();
  }

  @Override
  public List<RunFiles> runs() {
    return files(all);
  }

  @Override
  public String subject() {
    return "density of "
        + all.stream()
            .map(run -> run.spec().subject())
            .distinct()
            .collect(Collectors.joining(", "));
  }

  @Override
  public String overview() {
    return (all.size() == 1
            ? "One density was estimated."
            : Numerals.word(all.size()) + " densities were estimated.")
        + " The log-likelihood is the mean over test rows, which training has not seen, in the units"
        + " of the data. With indices u it is estimated by importance sampling and too small by the"
        + " bias, about; the ELBO is what was trained, and lies below it.";
  }

  @Override
  public List<String> unsaid() {
    return UNSAID;
  }

  @Override
  public String finding(int run) {
    return all.get(run).result().map(DensityContents::sentence).orElse(UNFINISHED);
  }

  private static String sentence(DensityResult r) {
    return "log-likelihood %s on %s test rows, %s above the ELBO.%s"
        .formatted(
            Numerals.measured(r.logLikelihood(), r.logLikelihoodSe()),
            Numerals.whole(r.testRows()),
            Numerals.estimate(r.logLikelihood() - r.elbo()),
            r.brokeOff() ? " Training broke off." : "");
  }

  @Override
  public List<String> oddities(int run) {
    return all.get(run)
        .result()
        .map(r -> r.brokeOff() ? List.of("training broke off.") : List.<String>of())
        .orElse(List.of(UNFINISHED));
  }

  @Override
  public String sections() {
    return Template.fill(
        Template.resource("density.html"),
        Map.of(
            "results", table().html(),
            "densities",
                figures("planes.html", DensityReportRun.DENSITY, "test rows, density, draws"),
            "curves", curves(),
            "margins", figures("drawn.html", "pairs.png", "points of every pair of columns")));
  }

  private IntStream indices() {
    return IntStream.range(0, all.size());
  }

  private ResultTable table() {
    return new ResultTable(
        "± is one standard error over the test rows.",
        NUMBERS,
        indices()
            .mapToObj(
                i ->
                    new ResultTable.Row(
                        i,
                        labels.get(i),
                        all.get(i).result().map(DensityContents::numbers).orElse(List.of()),
                        UNFINISHED))
            .toList());
  }

  private static List<String> numbers(DensityResult r) {
    return List.of(
        measured(r.logLikelihood(), r.logLikelihoodSe()),
        Numerals.estimate(r.logLikelihoodBias()),
        measured(r.elbo(), r.elboSe()),
        Numerals.whole(r.parameters()),
        Numerals.whole(r.steps()),
        Numerals.fixed(r.seconds(), 1));
  }

  private static String measured(double value, double error) {
    int decimals = Numerals.decimals(error);
    return ResultTable.withError(Numerals.fixed(value, decimals), Numerals.fixed(error, decimals));
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
                                labels.get(i) + ": " + what + ".",
                                "")
                            .html())));
  }

  private String curves() {
    return CurveChart.ofValidation(
            indices().mapToObj(i -> CurveSeries.of(labels.get(i), all.get(i).epochs())).toList(),
            ChartTexts.OF_ROWS)
        .html();
  }
}
