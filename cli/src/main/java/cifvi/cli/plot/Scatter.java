package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.Points;
import java.awt.Color;
import java.util.List;

/** Points, each with its colour. */
record Scatter(Frame frame, Points points, List<Color> colours, double diameter) implements Panel {
  private static final double SMALL = 2.2;

  Scatter(Frame frame, Points points, List<Color> colours) {
    this(frame, points, colours, SMALL);
  }

  @Override
  public void paint(Canvas canvas, Box box) {
    canvas.clip(box);
    for (int i = 0; i < points.count(); i++) {
      double x = onPixel(box.across(frame.share(points.x(i))));
      double y = onPixel(box.up(frame.share(points.y(i))));
      canvas.dot(x, y, diameter, colours.get(i));
    }
    canvas.unclip();
  }

  /** The nearest real pixel: dots that all look alike make a smaller file. */
  private static double onPixel(double position) {
    return Math.rint(position * Canvas.SCALE) / Canvas.SCALE;
  }
}
