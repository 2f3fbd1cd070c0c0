package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.cli.plot.canvas.Glyphs;
import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.ElboAxis;
import cifvi.experiments.figures.Ticks;
import java.awt.Color;
import java.awt.geom.Path2D;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The ELBO against the step or the epoch: of each curve the range within every bucket as a band, a
 * smoothed line over it.
 *
 * @param across what the horizontal axis counts
 * @param mark a point that stands out
 */
record CurveFigure(List<Line> lines, ElboAxis axis, String across, Optional<Mark> mark) {
  static final Color BLUE = new Color(0x2f5d9b);
  static final Color ORANGE = new Color(0xc2571a);
  private static final double WIDTH = 560;
  private static final double HEIGHT = 300;
  private static final Box PLOT = new Box(64, 28, WIDTH - 64 - 20, HEIGHT - 28 - 46);
  private static final double DOT = 8;

  /**
   * A curve with its name in the legend, which needs none where it is the only one.
   *
   * @param name empty for no name
   */
  record Line(String name, Curve curve, Color colour) {}

  record Mark(String name, double at, double elbo, Color colour) {}

  static CurveFigure of(Curve curve) {
    return new CurveFigure(
        List.of(new Line("", curve, BLUE)), ElboAxis.of(List.of(curve)), "step", Optional.empty());
  }

  void write(Path png) {
    var canvas = new Canvas(WIDTH, HEIGHT);
    paintAxes(canvas);
    canvas.clip(PLOT);
    for (Line line : lines) {
      canvas.fill(band(line.curve), Colours.withOpacity(line.colour, 0.18));
      canvas.stroke(line(line.curve), line.colour, 1.6);
    }
    canvas.unclip();
    canvas.stroke(PLOT.shape(), Canvas.RULE, 1);
    mark.ifPresent(point -> canvas.dot(x(point.at), y(point.elbo), DOT, point.colour));
    paintLegend(canvas);
    canvas.write(png);
  }

  private void paintAxes(Canvas canvas) {
    for (double tick : axis.ticks()) {
      double y = PLOT.up(axis.position(tick));
      canvas.line(PLOT.x(), y, PLOT.right(), y, tick == 0 ? Canvas.SOFT : Canvas.RULE, 0.7);
      canvas.text(Numerals.plain(tick), PLOT.x() - 7, y + 4, 11, Canvas.SOFT, Canvas.Anchor.RIGHT);
    }
    for (double tick : Ticks.whole(first(), last(), 7)) {
      double x = x(tick);
      canvas.line(x, PLOT.bottom(), x, PLOT.bottom() + 4, Canvas.RULE, 1);
      canvas.text(
          Numerals.fixed(tick, 0), x, PLOT.bottom() + 17, 11, Canvas.SOFT, Canvas.Anchor.CENTRE);
    }
    canvas.text(across, PLOT.centreX(), HEIGHT - 8, 12, Canvas.INK, Canvas.Anchor.CENTRE);
    String label = axis.stretched() ? "ELBO (logarithmic far below 0)" : "ELBO";
    canvas.text(label, PLOT.x(), 18, 13, Canvas.INK, Canvas.Anchor.LEFT);
  }

  /** Names in the lower right corner, where a curve that rises leaves room. */
  private void paintLegend(Canvas canvas) {
    double y = PLOT.bottom() - 12;
    double right = PLOT.right() - 12;
    if (mark.isPresent()) {
      String name = mark.get().name;
      canvas.text(name, right, y, 12, Canvas.INK, Canvas.Anchor.RIGHT);
      canvas.dot(right - Glyphs.width(name, 12) - 18, y - 4, DOT, mark.get().colour);
      y -= 18;
    }
    for (Line line : lines.reversed()) {
      if (!line.name.isEmpty()) {
        double left = right - Glyphs.width(line.name, 12) - 8;
        canvas.text(line.name, right, y, 12, Canvas.INK, Canvas.Anchor.RIGHT);
        canvas.line(left - 20, y - 4, left, y - 4, line.colour, 1.6);
        y -= 18;
      }
    }
  }

  private double x(double step) {
    return PLOT.across((step - first()) / (last() - first()));
  }

  /** Where the axis begins: epochs are counted from 1, steps from 0. */
  private long first() {
    return across.equals("epoch") ? 1 : 0;
  }

  private long last() {
    return lines.stream().mapToLong(line -> line.curve.done()).reduce(first() + 1, Math::max);
  }

  private double y(double elbo) {
    return PLOT.up(Math.clamp(axis.position(elbo), -1, 2));
  }

  private Path2D band(Curve curve) {
    var band = new Path2D.Double();
    append(band, curve.buckets(), Curve.Bucket::max);
    append(band, curve.buckets().reversed(), Curve.Bucket::min);
    return band;
  }

  private void append(
      Path2D path, List<Curve.Bucket> buckets, ToDoubleFunction<Curve.Bucket> value) {
    for (Curve.Bucket bucket : buckets) {
      add(path, bucket.step(), value.applyAsDouble(bucket));
    }
  }

  private Path2D line(Curve curve) {
    var line = new Path2D.Double();
    double[] smooth = curve.smoothed();
    for (int i = 0; i < smooth.length; i++) {
      add(line, curve.buckets().get(i).step(), smooth[i]);
    }
    return line;
  }

  private void add(Path2D path, double step, double elbo) {
    if (path.getCurrentPoint() == null) {
      path.moveTo(x(step), y(elbo));
    } else {
      path.lineTo(x(step), y(elbo));
    }
  }
}
