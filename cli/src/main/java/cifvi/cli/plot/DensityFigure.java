package cifvi.cli.plot;

import cifvi.experiments.density.DensityPicture;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.Points;
import java.awt.Color;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** A density in the plane beside the rows that it was estimated from. */
public final class DensityFigure {
  private static final Color POINT = Colours.withOpacity(CurveFigure.BLUE, 0.5);

  private DensityFigure() {}

  /** Test rows, the model's density, draws of it. */
  public static void write(DensityPicture picture, String title, Path png) {
    FigureGrid.write(
        List.of(List.of(rows(picture), density(picture, title), draws(picture, "draws"))), png);
  }

  public static Cell rows(DensityPicture picture) {
    return points("test rows", picture.frame(), picture.rows());
  }

  public static Cell density(DensityPicture picture, String title) {
    return Cell.density(title, picture.grid());
  }

  public static Cell draws(DensityPicture picture, String title) {
    return points(title, picture.frame(), picture.draws());
  }

  private static Cell points(String title, Frame frame, Points points) {
    return new Cell(title, new Scatter(frame, points, Collections.nCopies(points.count(), POINT)));
  }
}
