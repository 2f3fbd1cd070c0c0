package cifvi.cli.report.mog;

import cifvi.cli.plot.RunFigures;
import cifvi.cli.report.Figure;
import cifvi.cli.report.Html;
import cifvi.experiments.figures.DrawnDensity;
import cifvi.experiments.figures.MogPicture;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The figures of mixture runs, those of the same kind side by side. */
public record MogSections(List<MogReportRun> runs, List<String> labels) {
  private interface OfRun {
    @Nullable Figure figure(RunFigures figures, RunFigures.Drawn drawn, String label);
  }

  /** The density of each posterior beside the target's. */
  public String densities() {
    return forEach(
        (figures, drawn, label) ->
            new Figure(
                label,
                figures.density(),
                "Left the density of " + label + ", right the target. " + inside(drawn.density()),
                inside(drawn.density())));
  }

  /** How mass moves from the base to z. */
  public String layers() {
    return forEach(
        (figures, _, label) ->
            new Figure(
                label,
                figures.layers(),
                MogPicture.PASSAGE_DRAWS
                    + " draws of "
                    + label
                    + " in the base and after each step of the flow, coloured by where they end.",
                ""));
  }

  /** What each index decides; empty where no run has indices. */
  public String indices() {
    return forEach(
        (figures, drawn, label) ->
            drawn.indexed()
                ? new Figure(
                    label,
                    figures.index(),
                    "Draws of " + label + ", coloured by the index u of each layer in turn.",
                    "")
                : null);
  }

  private static String inside(DrawnDensity density) {
    return String.format(
        Locale.ROOT,
        "%,d of %,d draws lie in the square; %s.",
        density.inside(),
        density.draws(),
        density.how());
  }

  private String forEach(OfRun ofRun) {
    return Html.join(
        IntStream.range(0, runs.size())
            .mapToObj(
                i ->
                    runs.get(i)
                        .drawn()
                        .map(drawn -> ofRun.figure(runs.get(i).figures(), drawn, labels.get(i))))
            .flatMap(Optional::stream)
            .map(Figure::html));
  }
}
