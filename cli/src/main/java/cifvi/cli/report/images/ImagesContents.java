package cifvi.cli.report.images;

import cifvi.cli.report.ChartTexts;
import cifvi.cli.report.Contents;
import cifvi.cli.report.CurveChart;
import cifvi.cli.report.CurveSeries;
import cifvi.cli.report.Figure;
import cifvi.cli.report.FigureFolders;
import cifvi.cli.report.Labels;
import cifvi.cli.report.RunFiles;
import cifvi.cli.report.Template;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.run.RunDirectory;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The page about image runs. */
public record ImagesContents(List<ImagesReportRun> all, List<String> labels) implements Contents {
  /** Besides what follows from the model: where the data lie, and what else is computed. */
  private static final List<String> UNSAID =
      List.of("kind", "clip", "data_dir", "fixed_binarisation");

  /**
   * Reads the runs and draws their figures.
   *
   * @param data finds the images for the settings of a run
   */
  public static ImagesContents read(
      List<RunDirectory> directories,
      Function<ImagesSpec, ImageData> data,
      @Nullable String device,
      FigureFolders figures) {
    return of(
        directories.stream()
            .map(run -> ImagesReportRun.read(run, device, data, figures.of(run)))
            .toList());
  }

  public static ImagesContents of(List<ImagesReportRun> all) {
    return new ImagesContents(all, Labels.of(files(all)));
  }

  private static List<RunFiles> files(List<ImagesReportRun> all) {
    return all.stream().map(ImagesReportRun::files).toList();
  }

  @Override
  public List<RunFiles> runs() {
    return files(all);
  }

  @Override
  public String subject() {
    return "images";
  }

  @Override
  public String overview() {
    return new ImagesFindings(all, labels).overview();
  }

  @Override
  public List<String> unsaid() {
    return UNSAID;
  }

  @Override
  public List<String> oddities(int run) {
    return ImagesFindings.oddities(all.get(run));
  }

  @Override
  public String finding(int run) {
    return new ImagesFindings(all, labels).of(all.get(run));
  }

  @Override
  public String sections() {
    var figures = new ImagesSections(all, labels);
    return Template.fill(
        Template.resource("images.html"),
        Map.of(
            "results", ImagesResults.table(all, labels).html(),
            "differences", PairedDifferences.of(all, labels).html(),
            "curves", curves(),
            "missing", figures.missing(),
            "samples", Figure.section("samples.html", figures.samples()),
            "reconstructions", Figure.section("reconstructions.html", figures.reconstructions()),
            "traversals", Figure.section("traversals.html", figures.traversals()),
            "interpolations", Figure.section("interpolations.html", figures.interpolations()),
            "maps", Figure.section("maps.html", figures.maps())));
  }

  private String curves() {
    return CurveChart.ofValidation(
            IntStream.range(0, all.size())
                .mapToObj(i -> CurveSeries.of(labels.get(i), all.get(i).epochs()))
                .toList(),
            ChartTexts.OF_IMAGES)
        .html();
  }
}
