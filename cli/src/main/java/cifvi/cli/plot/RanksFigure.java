package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.diagnostics.Calibration;
import java.awt.geom.Rectangle2D;
import java.nio.file.Path;
import java.util.List;

/**
 * Ranks of what data were simulated from among the draws of their fits: a histogram a number, which
 * is flat where fits are calibrated, with the band that holds a bar of a flat one in 99 of 100
 * cases.
 */
public final class RanksFigure {
  private static final int MOST = 24;
  private static final int ACROSS = 4;
  private static final int BINS = 10;
  private static final double WIDTH = 132;
  private static final double HEIGHT = 80;
  private static final double GAP = 18;
  private static final double TOP = 24;
  private static final double QUANTILE = 2.576; // of a normal, on either side

  private RanksFigure() {}

  public static void write(Calibration calibration, Path png) {
    List<Calibration.Ranks> shown = calibration.numbers().stream().limit(MOST).toList();
    int across = Math.min(ACROSS, shown.size());
    int down = Math.ceilDiv(shown.size(), across);
    var canvas = new Canvas(GAP + across * (WIDTH + GAP), GAP + down * (HEIGHT + TOP + GAP));
    for (int i = 0; i < shown.size(); i++) {
      int row = i / across;
      double x = GAP + (i - row * across) * (WIDTH + GAP);
      double y = TOP + row * (HEIGHT + TOP + GAP);
      panel(canvas, new Box(x, y, WIDTH, HEIGHT), shown.get(i), calibration);
    }
    canvas.write(png);
  }

  private static void panel(
      Canvas canvas, Box box, Calibration.Ranks ranks, Calibration calibration) {
    double expected = (double) calibration.simulations() / BINS;
    double spread = QUANTILE * Math.sqrt(expected * (1 - 1.0 / BINS));
    int[] counts = new int[BINS];
    ranks.ranks().forEach(rank -> counts[rank * BINS / (calibration.draws() + 1)]++);
    double most = expected + spread;
    for (int count : counts) {
      most = Math.max(most, count);
    }
    double unit = 0.94 * box.height() / most;
    canvas.text(ranks.name(), box.centreX(), box.y() - 6, 12, Canvas.INK, Canvas.Anchor.CENTRE);
    double low = Math.max(0, expected - spread);
    canvas.fill(
        new Rectangle2D.Double(
            box.x(),
            box.bottom() - unit * (expected + spread),
            box.width(),
            unit * (expected + spread - low)),
        Colours.withOpacity(Canvas.RULE, 0.6));
    double width = box.width() / BINS;
    for (int bin = 0; bin < BINS; bin++) {
      double height = unit * counts[bin];
      canvas.fill(
          new Rectangle2D.Double(
              box.x() + bin * width + 1, box.bottom() - height, width - 2, height),
          Colours.withOpacity(CurveFigure.BLUE, 0.75));
    }
    canvas.line(box.x(), box.bottom(), box.right(), box.bottom(), Canvas.RULE, 1);
  }
}
