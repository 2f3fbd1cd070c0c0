package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.cli.plot.canvas.Glyphs;
import cifvi.cli.plot.canvas.Ground;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.LatentMap;
import cifvi.experiments.figures.Points;
import cifvi.experiments.figures.Quantiles;
import java.awt.Color;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Draws of z in a plane, coloured by class; a class's name stands where its middle is. */
record LatentMapFigure(LatentMap map, List<String> classes, Ground ground) {
  private static final double WIDTH = 560;
  private static final Box PLOT = new Box(34, 14, 420, 420);
  private static final double DOT = 3.4;
  private static final double LEGEND_DOT = 9;
  private static final double NAME = 17;

  void write(Path png) {
    var canvas = new Canvas(WIDTH, PLOT.bottom() + 34, ground);
    Frame frame = map.frame();
    List<Color> colours = map.labels().stream().map(this::colour).toList();
    new Scatter(frame, map.points(), colours, DOT).paint(canvas, PLOT);
    canvas.stroke(PLOT.shape(), ground.rule, 1);
    paintLegend(canvas);
    paintNames(canvas, frame);
    String across = "first principal component";
    canvas.text(across, PLOT.centreX(), PLOT.bottom() + 20, 12, ground.soft, Canvas.Anchor.CENTRE);
    canvas.upwards("second", PLOT.x() - 12, PLOT.centreY(), 12, ground.soft);
    canvas.write(png);
  }

  private void paintLegend(Canvas canvas) {
    for (int label = 0; label < classes.size(); label++) {
      double y = PLOT.y() + 16 + 24 * label;
      canvas.dot(PLOT.right() + 18, y - 4.5, LEGEND_DOT, colour(label));
      canvas.text(classes.get(label), PLOT.right() + 30, y, 13, ground.ink, Canvas.Anchor.LEFT);
    }
  }

  private Color colour(int label) {
    Color colour = Colours.ofClass(label);
    return ground == Ground.DARK ? Colours.mix(colour, Color.WHITE, 0.2) : colour;
  }

  /** Each class's name at the median of its points, with a rim that keeps it readable on dots. */
  private void paintNames(Canvas canvas, Frame frame) {
    List<Integer> shown = map.labels().stream().distinct().sorted().toList();
    List<Box> boxes = Apart.of(shown.stream().map(label -> nameBox(frame, label)).toList());
    for (int i = 0; i < boxes.size(); i++) {
      Box box = boxes.get(i);
      var outline = Glyphs.outline(classes.get(shown.get(i)), box.x(), box.bottom() - 3, NAME);
      canvas.stroke(outline, ground.paper, 4);
      canvas.fill(outline, ground.ink);
    }
  }

  private Box nameBox(Frame frame, int label) {
    Points all = map.points();
    int[] members =
        IntStream.range(0, all.count()).filter(i -> map.labels().get(i) == label).toArray();
    double x = PLOT.across(frame.share(median(members, all::x)));
    double y = PLOT.up(frame.share(median(members, all::y)));
    double width = Glyphs.width(classes.get(label), NAME);
    return new Box(x - width / 2, y - NAME / 2, width, NAME);
  }

  private static double median(int[] members, IntToDoubleFunction coordinate) {
    return Quantiles.of(IntStream.of(members).mapToDouble(coordinate).toArray(), 0.5);
  }
}
