package cifvi.cli.plot;

import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.Points;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.util.List;

/** Points, each with its colour. */
record Scatter(Frame frame, Points points, List<Color> colours) implements Panel {
  private static final double DIAMETER = 2.2;

  @Override
  public void paint(Canvas canvas, Box box) {
    canvas.clip(box);
    for (int i = 0; i < points.count(); i++) {
      double x = onPixel(box.across((points.x(i) / frame.limit() + 1) / 2));
      double y = onPixel(box.up((points.y(i) / frame.limit() + 1) / 2));
      canvas.fill(
          new Ellipse2D.Double(x - DIAMETER / 2, y - DIAMETER / 2, DIAMETER, DIAMETER),
          colours.get(i));
    }
    canvas.unclip();
  }

  /** The nearest real pixel: dots that all look alike make a smaller file. */
  private static double onPixel(double position) {
    return Math.rint(position * Canvas.SCALE) / Canvas.SCALE;
  }
}
