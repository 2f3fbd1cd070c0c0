package cifvi.cli.report.mog;

import cifvi.cli.report.Contents;
import cifvi.cli.report.CurveChart;
import cifvi.cli.report.CurveSeries;
import cifvi.cli.report.Figure;
import cifvi.cli.report.FigureFolders;
import cifvi.cli.report.Labels;
import cifvi.cli.report.RunFiles;
import cifvi.cli.report.Template;
import cifvi.experiments.run.RunDirectory;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The page about mixture runs. */
public record MogContents(List<MogReportRun> all, List<String> labels) implements Contents {
  private static final List<String> UNSAID = List.of("kind");

  public static MogContents read(
      List<RunDirectory> directories, @Nullable String device, FigureFolders figures) {
    List<MogReportRun> all =
        directories.stream().map(run -> MogReportRun.read(run, device, figures.of(run))).toList();
    return new MogContents(all, Labels.of(files(all)));
  }

  private static List<RunFiles> files(List<MogReportRun> all) {
    return all.stream().map(MogReportRun::files).toList();
  }

  @Override
  public List<RunFiles> runs() {
    return files(all);
  }

  @Override
  public String subject() {
    return "mixture of Gaussians";
  }

  @Override
  public String overview() {
    return new MogFindings(all, labels).overview();
  }

  @Override
  public List<String> unsaid() {
    return UNSAID;
  }

  @Override
  public List<String> oddities(int run) {
    return MogFindings.oddities(all.get(run));
  }

  @Override
  public String finding(int run) {
    return new MogFindings(all, labels).of(all.get(run));
  }

  @Override
  public String sections() {
    var figures = new MogSections(all, labels);
    return Template.fill(
        Template.resource("mog.html"),
        Map.of(
            "results", MogResults.table(all, labels).html(),
            "densities", Figure.section("densities.html", figures.densities()),
            "curves", curves(),
            "layers", Figure.section("layers.html", figures.layers()),
            "indices", Figure.section("indices.html", figures.indices())));
  }

  private String curves() {
    return CurveChart.ofTraining(
            IntStream.range(0, all.size())
                .mapToObj(i -> CurveSeries.of(labels.get(i), all.get(i).curve()))
                .toList())
        .html();
  }
}
