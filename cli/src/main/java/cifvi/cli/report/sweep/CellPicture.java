package cifvi.cli.report.sweep;

import cifvi.cli.plot.canvas.Thumbnail;
import cifvi.cli.report.Html;
import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.ElboAxis;
import cifvi.experiments.files.UserException;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.StepRow;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A small picture of a finished cell: what {@code cifvi report} drew of it, or else its ELBO over
 * training.
 */
public final class CellPicture {
  private static final List<String> FIGURES = List.of("density.png", "samples.png");
  private static final int WIDTH = 120;
  private static final int POINTS = 60;

  /** Curves of finished cells, which change no more. */
  private static final Map<Path, String> CURVES = new ConcurrentHashMap<>();

  private CellPicture() {}

  /** As HTML; empty for a cell that is not finished. */
  public static String of(CellFolder cell) {
    if (!cell.isDone()) {
      return "";
    }
    return FIGURES.stream()
        .map(name -> cell.path().resolve("figures").resolve(name))
        .filter(Files::exists)
        .findFirst()
        .map(CellPicture::figure)
        .orElseGet(() -> CURVES.computeIfAbsent(cell.path(), CellPicture::curve));
  }

  private static String figure(Path png) {
    try {
      return Html.image(Thumbnail.of(png, WIDTH), "");
    } catch (IOException _) {
      return ""; // being drawn just now
    }
  }

  private static String curve(Path path) {
    try {
      var directory = RunDirectory.read(path);
      Curve curve =
          EpochRow.isIn(directory)
              ? Curve.validation(EpochRow.read(directory))
              : Curve.of(StepRow.read(directory), POINTS);
      return curve.buckets().size() < 2 ? "" : line(curve);
    } catch (UserException _) {
      return ""; // its row says what is the matter
    }
  }

  private static String line(Curve curve) {
    ElboAxis axis = ElboAxis.near(List.of(curve));
    double[] smooth = curve.smoothed();
    String points =
        IntStream.range(0, smooth.length)
            .mapToObj(
                i ->
                    String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        100.0 * i / (smooth.length - 1),
                        40 * (1 - Math.clamp(axis.position(smooth[i]), 0, 1))))
            .collect(Collectors.joining(" "));
    return Html.element(
        "svg class=\"small\" viewBox=\"0 -1 100 42\" role=\"img\" aria-label=\"ELBO while training\"",
        Html.element("polyline class=\"run0 line\" points=\"" + points + "\"", ""));
  }
}
