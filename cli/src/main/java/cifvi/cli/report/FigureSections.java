package cifvi.cli.report;

import cifvi.cli.plot.RunFigures;
import cifvi.experiments.figures.DrawnDensity;
import cifvi.experiments.figures.MogPicture;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The figures, those of the same kind side by side. */
record FigureSections(List<ReportRun> runs, List<String> labels) {
  private interface OfRun {
    String html(RunFigures figures, RunFigures.Drawn drawn, String label);
  }

  /** The density of each posterior beside the target's. */
  String densities() {
    return forEach(
        (figures, drawn, label) ->
            figure(
                label,
                figures.density(),
                "Left the density of " + label + ", right the target. " + inside(drawn.density()),
                inside(drawn.density())));
  }

  /** How mass moves from the base to z. */
  String layers() {
    return forEach(
        (figures, _, label) ->
            figure(
                label,
                figures.layers(),
                MogPicture.PASSAGE_DRAWS
                    + " draws of "
                    + label
                    + " in the base and after each step of the flow, coloured by where they end.",
                ""));
  }

  /** What each index decides; empty where no run has indices. */
  String indices() {
    return forEach(
        (figures, drawn, label) ->
            drawn.indexed()
                ? figure(
                    label,
                    figures.index(),
                    "Draws of " + label + ", coloured by the index u of each layer in turn.",
                    "")
                : "");
  }

  private static String inside(DrawnDensity density) {
    return String.format(
        Locale.ROOT,
        "%,d of %,d draws lie in the square; kernel width %.2f by %.2f.",
        density.inside(),
        density.draws(),
        density.kde().bandwidthX(),
        density.kde().bandwidthY());
  }

  private String forEach(OfRun ofRun) {
    return Html.join(
        IntStream.range(0, runs.size())
            .mapToObj(
                i ->
                    runs.get(i)
                        .drawn()
                        .map(drawn -> ofRun.html(runs.get(i).figures(), drawn, labels.get(i)))
                        .orElse(""))
            .filter(html -> !html.isEmpty()));
  }

  private static String figure(String label, Path png, String alternative, String caption) {
    return Html.element(
        "figure",
        Html.image(bytes(png), alternative)
            + Html.element("figcaption", Html.text("strong", label) + " " + Html.escape(caption)));
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + RunDirectory.reason(e), e);
    }
  }
}
