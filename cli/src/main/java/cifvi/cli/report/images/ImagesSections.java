package cifvi.cli.report.images;

import cifvi.cli.plot.ImagesFigures;
import cifvi.cli.report.Figure;
import cifvi.cli.report.Html;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** The figures of image runs, those of the same kind side by side. */
public record ImagesSections(List<ImagesReportRun> runs, List<String> labels) {
  /** What the decoder makes of the prior, which needs no images. */
  public String samples() {
    return forEach(
        (run, label) ->
            run.drawn()
                .map(
                    _ ->
                        new Figure(
                            label,
                            run.figures().samples(),
                            ImagesFigures.SAMPLES + " images " + label + " decodes from the prior.",
                            "")));
  }

  public String reconstructions() {
    return ofImages(
        (run, _, label) ->
            new Figure(
                label,
                run.figures().reconstructions(),
                "Two test images of every class, each above what " + label + " makes of it.",
                ""));
  }

  public String traversals() {
    return ofImages(
        (run, found, label) ->
            new Figure(
                label,
                run.figures().traversals(),
                "Images decoded by " + label + " while one coordinate of z moves at a time.",
                "%d of %d coordinates of z tell images apart. The image is the first of the test set (%s)."
                    .formatted(found.used(), found.dimensions(), found.traversed())));
  }

  public String interpolations() {
    return ofImages(
        (run, _, label) ->
            new Figure(
                label,
                run.figures().interpolations(),
                "Images decoded by " + label + " on the way from one test image to another.",
                ""));
  }

  public String maps() {
    return ofImages(
        (run, found, label) ->
            new Figure(
                label,
                run.figures().map(),
                run.figures().darkMap(),
                "Posterior draws of " + label + " in the plane, coloured by class.",
                String.format(
                    Locale.ROOT,
                    "%,d test images; the plane holds %.0f %% of the variance of z.",
                    found.mapped(),
                    100 * found.mapShare())));
  }

  /** Why figures are missing, a sentence for each reason. */
  public String missing() {
    return Html.join(
        runs.stream()
            .flatMap(run -> run.drawn().stream())
            .flatMap(drawn -> drawn.missing().stream())
            .distinct()
            .map(
                why ->
                    Html.text(
                        "p class=\"note\"",
                        "Without test images there are no reconstructions, traversals,"
                            + " interpolations and maps: "
                            + why)));
  }

  private interface OfImages {
    Figure figure(ImagesReportRun run, ImagesFigures.OfImages found, String label);
  }

  private String ofImages(OfImages what) {
    return forEach(
        (run, label) ->
            run.drawn()
                .flatMap(ImagesReportRun.Drawn::ofImages)
                .map(found -> what.figure(run, found, label)));
  }

  private String forEach(BiFunction<ImagesReportRun, String, Optional<Figure>> what) {
    return Html.join(
        IntStream.range(0, runs.size())
            .mapToObj(i -> what.apply(runs.get(i), labels.get(i)))
            .flatMap(Optional::stream)
            .map(Figure::html));
  }
}
