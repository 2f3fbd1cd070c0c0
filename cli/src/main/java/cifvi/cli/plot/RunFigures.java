package cifvi.cli.plot;

import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.DrawnDensity;
import cifvi.experiments.figures.MogPicture;
import cifvi.experiments.figures.Passage;
import cifvi.vi.LogWeights;
import java.nio.file.Path;
import java.util.List;

/**
 * The figures of one mixture run, as files of a folder: {@code curves.png}, and of its model {@code
 * density.png}, {@code layers.png} and, where it has indices, {@code index.png}.
 */
public record RunFigures(Path folder) {
  public Path density() {
    return folder.resolve("density.png");
  }

  public Path curves() {
    return folder.resolve("curves.png");
  }

  public Path layers() {
    return folder.resolve("layers.png");
  }

  public Path index() {
    return folder.resolve("index.png");
  }

  public void write(Curve curve) {
    CurveFigure.of(curve).write(curves());
  }

  /**
   * Draws what the model does.
   *
   * @param title of the density, such as its ELBO
   */
  public Drawn write(MogPicture picture, LogWeights weights, String title) {
    DrawnDensity density = picture.posterior(weights);
    FigureGrid.write(
        List.of(List.of(Cell.density(title, density), Cell.density("target", picture.target()))),
        density());
    Passage passage = picture.passage();
    var figures = new PassageFigures(passage, picture.frame());
    figures.writeLayers(layers());
    boolean indexed = !passage.indices().isEmpty();
    if (indexed) {
      figures.writeIndices(index());
    }
    return new Drawn(density, indexed);
  }

  /**
   * What was drawn of a model.
   *
   * @param indexed whether there is an {@code index.png}
   */
  public record Drawn(DrawnDensity density, boolean indexed) {}
}
