package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Ground;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.ElboAxis;
import cifvi.experiments.figures.GreyImage;
import cifvi.experiments.figures.ImagesPicture;
import cifvi.experiments.figures.Interpolation;
import cifvi.experiments.figures.LatentDraws;
import cifvi.experiments.figures.LatentMap;
import cifvi.experiments.figures.Reconstruction;
import cifvi.experiments.figures.Traversal;
import cifvi.experiments.run.EpochRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The figures of one image run, as files of a folder. */
public record ImagesFigures(Path folder) {
  private static final int SAMPLE_ROWS = 6;
  private static final int SAMPLE_COLUMNS = 12;
  private static final int EXAMPLES = 2;

  /** How many draws from the prior are shown. */
  public static final int SAMPLES = SAMPLE_ROWS * SAMPLE_COLUMNS;

  public Path curves() {
    return folder.resolve("curves.png");
  }

  public Path samples() {
    return folder.resolve("samples.png");
  }

  public Path reconstructions() {
    return folder.resolve("reconstructions.png");
  }

  public Path traversals() {
    return folder.resolve("traversals.png");
  }

  public Path interpolations() {
    return folder.resolve("interpolations.png");
  }

  public Path map() {
    return folder.resolve("map.png");
  }

  /** The same map for a dark page. */
  public Path darkMap() {
    return folder.resolve("map-dark.png");
  }

  /** The training objective and the validation bound, the best epoch marked. */
  public void writeCurves(List<EpochRow> epochs) {
    Curve training = Curve.training(epochs);
    Curve validation = Curve.validation(epochs);
    new CurveFigure(
            List.of(
                new CurveFigure.Line("training objective", training, CurveFigure.ORANGE),
                new CurveFigure.Line("validation bound", validation, CurveFigure.BLUE)),
            ElboAxis.near(List.of(training, validation)),
            "epoch",
            EpochRow.best(epochs).map(ImagesFigures::mark))
        .write(curves());
  }

  private static CurveFigure.Mark mark(EpochRow best) {
    String name = "best: " + Numerals.fixed(best.validElbo(), 2) + " in epoch " + best.epoch();
    return new CurveFigure.Mark(name, best.epoch(), best.validElbo(), CurveFigure.BLUE);
  }

  /** What the decoder does, which needs no data. */
  public void writeSamples(ImagesPicture picture) {
    TileGrid.of(picture.samples(SAMPLES), SAMPLE_COLUMNS).write(samples());
  }

  /**
   * What was found about z on the way.
   *
   * @param used how many of the coordinates of z tell images apart
   * @param mapShare of the variance of z that the map shows
   * @param traversed the class of the image whose coordinates are moved
   */
  public record OfImages(int used, int dimensions, int mapped, double mapShare, String traversed) {}

  /** What the model does with test images. */
  public OfImages writeOfImages(ImagesPicture picture, ImageData data) {
    writeReconstructions(picture, data);
    LatentDraws draws = picture.draws(data.test());
    Traversal traversal = picture.traversal(data.test(), draws);
    writeTraversal(traversal);
    writeInterpolations(picture.interpolations(data.test()));
    LatentMap map = LatentMap.of(draws, data.test());
    new LatentMapFigure(map, data.set().classes(), Ground.LIGHT).write(map());
    new LatentMapFigure(map, data.set().classes(), Ground.DARK).write(darkMap());
    return new OfImages(
        draws.used(),
        draws.dimensions(),
        draws.images(),
        map.share(),
        data.set().classes().get(traversal.label()));
  }

  private void writeReconstructions(ImagesPicture picture, ImageData data) {
    var rows = new ArrayList<TileGrid.Row>();
    List<String> classes = List.of();
    for (int before = 0; before < EXAMPLES; before++) {
      List<Reconstruction> examples = picture.reconstructions(data.test(), before);
      if (before == 0) {
        classes = examples.stream().map(r -> data.set().classes().get(r.label())).toList();
      }
      rows.add(
          new TileGrid.Row(
              "input", examples.stream().map(Reconstruction::input).toList(), before > 0));
      rows.add(
          new TileGrid.Row("mean", examples.stream().map(Reconstruction::mean).toList(), false));
    }
    new TileGrid(rows, classes, false, false).write(reconstructions());
  }

  private void writeTraversal(Traversal traversal) {
    List<TileGrid.Row> rows =
        traversal.rows().stream()
            .map(row -> new TileGrid.Row(name(row.coordinate()), row.means(), false))
            .toList();
    List<String> columns = Traversal.PERCENTS.stream().map(percent -> percent + " %").toList();
    new TileGrid(rows, columns, false, false).write(traversals());
  }

  /** Counted from 1, as z is in formulas. */
  private static String name(int coordinate) {
    return "z" + Numerals.subscript(coordinate + 1);
  }

  private void writeInterpolations(List<Interpolation> interpolations) {
    List<TileGrid.Row> rows =
        interpolations.stream().map(way -> new TileGrid.Row("", tiles(way), false)).toList();
    new TileGrid(rows, List.of(), true, true).write(interpolations());
  }

  private static List<GreyImage> tiles(Interpolation way) {
    return Stream.of(Stream.of(way.from()), way.means().stream(), Stream.of(way.to()))
        .flatMap(tiles -> tiles)
        .toList();
  }
}
