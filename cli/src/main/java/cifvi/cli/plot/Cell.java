package cifvi.cli.plot;

import cifvi.experiments.figures.DensityGrid;
import cifvi.experiments.figures.DrawnDensity;

/** A panel with its title. */
public record Cell(String title, Panel panel) {
  /** A known density. */
  public static Cell density(String title, DensityGrid density) {
    return new Cell(title, new HeatMap(density));
  }

  /** A density known by draws, or a sentence where too few of them lie in the frame. */
  public static Cell density(String title, DrawnDensity density) {
    return density.shown()
        ? density(title, density.grid())
        : new Cell(title, new Message(density.sentence(), density.grid().frame()));
  }

  /** A sentence where there is nothing to draw. */
  public static Cell message(String title, String sentence) {
    return new Cell(title, new Message(sentence, null));
  }
}
