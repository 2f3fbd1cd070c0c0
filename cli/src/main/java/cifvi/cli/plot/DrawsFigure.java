package cifvi.cli.plot;

import cifvi.Draws;
import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.experiments.figures.Ticks;
import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Draws of a posterior: the margin of every number as a histogram, with that of the same draws
 * reweighted as a line where weights are known, and of the first few every pair as points; scalars
 * before vectors, since those are what models are asked about. An axis shows all but a thousandth
 * of the draws at either end.
 */
public final class DrawsFigure {
  private static final int MOST_MARGINS = 24;
  private static final int MOST_IN_PAIRS = 6;
  private static final int MOST_POINTS = 2000;
  private static final int BINS = 40;
  private static final double SIDE = 132;
  private static final double GAP = 14;
  private static final double LEFT = 44;
  private static final double TOP = 22;
  private static final double BELOW = 26;
  private static final double CUT = 0.001;
  private static final Color FILL = CurveFigure.BLUE;
  private static final Color POINT = Colours.withOpacity(CurveFigure.BLUE, 0.35);

  private final List<String> names;
  private final double[][] columns;
  private final double[][] ranges;
  private final double[] weights;

  private DrawsFigure(List<String> names, double[][] columns, double[] weights) {
    this.names = names;
    this.columns = columns;
    this.weights = weights;
    ranges = new double[columns.length][];
    Arrays.setAll(ranges, i -> range(columns[i]));
  }

  /** Writes {@code margins.png}, and {@code pairs.png} where there is more than one number. */
  public static void write(Draws draws, Path folder) {
    List<String> names =
        draws.finite().stream().sorted(Comparator.comparing(name -> name.contains("."))).toList();
    of(draws, names.subList(0, Math.min(names.size(), MOST_MARGINS)))
        .margins(folder.resolve("margins.png"));
    if (names.size() > 1) {
      of(draws, names.subList(0, Math.min(names.size(), MOST_IN_PAIRS)))
          .pairs(folder.resolve("pairs.png"));
    }
  }

  private static DrawsFigure of(Draws draws, List<String> names) {
    boolean known = !Double.isNaN(draws.logP(0));
    return new DrawsFigure(
        names,
        names.stream().map(draws::column).toArray(double[][]::new),
        known ? draws.weights().normalised() : new double[0]);
  }

  private static double[] range(double[] column) {
    double[] sorted = Arrays.stream(column).filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return new double[] {0, 1};
    }
    int cut = (int) (CUT * sorted.length);
    double low = sorted[cut];
    double high = sorted[sorted.length - 1 - cut];
    double margin = high > low ? 0.03 * (high - low) : Math.max(1e-6, Math.abs(low) * 1e-3);
    return new double[] {low - margin, high + margin};
  }

  private void margins(Path png) {
    int across = Math.min(names.size(), 4);
    int down = Math.ceilDiv(names.size(), across);
    var canvas = new Canvas(LEFT + across * (SIDE + GAP), down * (SIDE + TOP + BELOW) + GAP);
    for (int i = 0; i < names.size(); i++) {
      int row = i / across;
      int column = i % across;
      var box =
          new Box(LEFT / 2 + column * (SIDE + GAP), TOP + row * (SIDE + TOP + BELOW), SIDE, SIDE);
      canvas.text(names.get(i), box.centreX(), box.y() - 6, 12, Canvas.INK, Canvas.Anchor.CENTRE);
      histogram(canvas, box, i);
      below(canvas, box, i);
    }
    canvas.write(png);
  }

  /** The margin of each on the diagonal, pairs below it. */
  private void pairs(Path png) {
    int n = names.size();
    var canvas = new Canvas(LEFT + n * (SIDE + GAP), TOP + n * (SIDE + GAP) + BELOW);
    for (int row = 0; row < n; row++) {
      for (int column = 0; column <= row; column++) {
        var box = new Box(LEFT + column * (SIDE + GAP), TOP + row * (SIDE + GAP), SIDE, SIDE);
        if (row == column) {
          canvas.text(
              names.get(row), box.centreX(), box.y() - 4, 12, Canvas.INK, Canvas.Anchor.CENTRE);
          histogram(canvas, box, row);
        } else {
          points(canvas, box, column, row);
        }
        if (row == n - 1) {
          below(canvas, box, column);
        }
        if (column == 0 && row > 0) {
          beside(canvas, box, row);
        }
      }
    }
    canvas.write(png);
  }

  private double share(int i, double value) {
    return (value - ranges[i][0]) / (ranges[i][1] - ranges[i][0]);
  }

  private void histogram(Canvas canvas, Box box, int i) {
    int[] counts = new int[BINS];
    for (double value : columns[i]) {
      int bin = (int) Math.floor(share(i, value) * BINS);
      if (bin >= 0 && bin < BINS) {
        counts[bin]++;
      }
    }
    double most = Math.max(1, Arrays.stream(counts).max().orElse(1));
    double width = box.width() / BINS;
    double[] reweighted = weights.length > 0 ? weighted(i) : new double[BINS];
    most = Math.max(most, Arrays.stream(reweighted).max().orElse(1));
    for (int bin = 0; bin < BINS; bin++) {
      double height = 0.94 * box.height() * counts[bin] / most;
      canvas.fill(
          new Rectangle2D.Double(box.x() + bin * width, box.bottom() - height, width, height),
          Colours.withOpacity(FILL, 0.75));
    }
    if (weights.length > 0) {
      outline(canvas, box, reweighted, most);
    }
    canvas.line(box.x(), box.bottom(), box.right(), box.bottom(), Canvas.RULE, 1);
  }

  /** The histogram of reweighted draws, as many in all. */
  private double[] weighted(int i) {
    double[] counts = new double[BINS];
    for (int row = 0; row < columns[i].length; row++) {
      int bin = (int) Math.floor(share(i, columns[i][row]) * BINS);
      if (bin >= 0 && bin < BINS) {
        counts[bin] += weights[row] * columns[i].length;
      }
    }
    return counts;
  }

  private void outline(Canvas canvas, Box box, double[] counts, double most) {
    double width = box.width() / BINS;
    double before = box.bottom();
    for (int bin = 0; bin < BINS; bin++) {
      double x = box.x() + bin * width;
      double y = box.bottom() - 0.94 * box.height() * counts[bin] / most;
      canvas.line(x, before, x, y, CurveFigure.ORANGE, 1.5);
      canvas.line(x, y, x + width, y, CurveFigure.ORANGE, 1.5);
      before = y;
    }
    canvas.line(box.right(), before, box.right(), box.bottom(), CurveFigure.ORANGE, 1.5);
  }

  private void points(Canvas canvas, Box box, int x, int y) {
    canvas.stroke(box.shape(), Canvas.RULE, 1);
    canvas.clip(box);
    int count = Math.min(MOST_POINTS, columns[x].length);
    for (int i = 0; i < count; i++) {
      canvas.dot(box.across(share(x, columns[x][i])), box.up(share(y, columns[y][i])), 2, POINT);
    }
    canvas.unclip();
  }

  private void below(Canvas canvas, Box box, int i) {
    for (double tick : Ticks.between(ranges[i][0], ranges[i][1], 4)) {
      double x = box.across(share(i, tick));
      canvas.line(x, box.bottom(), x, box.bottom() + 3, Canvas.RULE, 1);
      canvas.text(
          Numerals.plain(tick), x, box.bottom() + 15, 10, Canvas.SOFT, Canvas.Anchor.CENTRE);
    }
  }

  private void beside(Canvas canvas, Box box, int i) {
    for (double tick : Ticks.between(ranges[i][0], ranges[i][1], 4)) {
      double y = box.up(share(i, tick));
      canvas.line(box.x() - 3, y, box.x(), y, Canvas.RULE, 1);
      canvas.text(Numerals.plain(tick), box.x() - 5, y + 3, 10, Canvas.SOFT, Canvas.Anchor.RIGHT);
    }
  }
}
