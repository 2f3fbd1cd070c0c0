package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.cli.plot.canvas.Glyphs;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.Ticks;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Square panels in rows, with titles, and headings at the top and at the left where wanted. Up to
 * three columns share one width; more make the figure wider.
 *
 * @param columns headings of the columns, or none
 * @param heads headings of the rows, or none
 */
public record FigureGrid(List<List<Cell>> rows, List<String> columns, List<String> heads) {
  private static final double WIDTH = 560;
  private static final double LEAST_PANEL = 140;
  private static final double TITLE = 24;
  private static final double EDGE = 12;
  private static final double GAP = 12;
  private static final double NUMBERS_LEFT = 24;
  private static final double NUMBERS_BELOW = 18;
  private static final double HEADING = 26;
  private static final double TITLE_SIZE = 13;
  private static final double NUMBER_SIZE = 10;
  private static final int MOST_NUMBERS = 5;

  /** A grid without headings. */
  public static FigureGrid of(List<List<Cell>> rows) {
    return new FigureGrid(rows, List.of(), List.of());
  }

  /** The same with headings over the columns and beside the rows. */
  public FigureGrid withHeadings(List<String> columns, List<String> heads) {
    return new FigureGrid(rows, columns, heads);
  }

  /** Draws all and writes a PNG file. */
  public static void write(List<List<Cell>> rows, Path png) {
    of(rows).write(png);
  }

  /** Draws all and writes a PNG file. */
  public void write(Path png) {
    double width = left() + across() * columnWidth() - between() + EDGE;
    double height = top() + rows.size() * rowHeight() + (shared() ? NUMBERS_BELOW : 0) + EDGE / 2;
    var canvas = new Canvas(width, height);
    paintHeadings(canvas);
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < rows.get(row).size(); column++) {
        paint(canvas, row, column);
      }
    }
    canvas.write(png);
  }

  private void paintHeadings(Canvas canvas) {
    for (int i = 0; i < columns.size(); i++) {
      canvas.text(
          columns.get(i), box(0, i).centreX(), EDGE + 12, 15, Canvas.INK, Canvas.Anchor.CENTRE);
    }
    for (int i = 0; i < heads.size(); i++) {
      canvas.upwards(heads.get(i), EDGE + 12, box(i, 0).centreY(), 15, Canvas.INK);
    }
  }

  private void paint(Canvas canvas, int row, int column) {
    Cell cell = rows.get(row).get(column);
    Box box = box(row, column);
    cell.panel().paint(canvas, box);
    canvas.text(
        cell.title(),
        box.centreX(),
        box.y() - 8,
        titleSize(cell),
        Canvas.INK,
        Canvas.Anchor.CENTRE);
    @Nullable Frame frame = cell.panel().frame();
    if (frame != null) {
      canvas.stroke(box.shape(), Canvas.RULE, 1);
      boolean lowest = row == rows.size() - 1 || column >= rows.get(row + 1).size();
      paintNumbers(canvas, box, frame, !shared() || column == 0, !shared() || lowest);
    }
  }

  /** The usual size, or the one at which a long title fits. */
  private double titleSize(Cell cell) {
    double room = panel() + GAP / 2;
    return Math.min(TITLE_SIZE, TITLE_SIZE * room / Glyphs.width(cell.title(), TITLE_SIZE));
  }

  private static void paintNumbers(
      Canvas canvas, Box box, Frame frame, boolean left, boolean below) {
    for (double tick : Ticks.between(-frame.limit(), frame.limit(), MOST_NUMBERS)) {
      double share = frame.share(tick);
      String number = Numerals.plain(tick);
      if (below) {
        canvas.text(
            number,
            box.across(share),
            box.bottom() + 14,
            NUMBER_SIZE,
            Canvas.SOFT,
            Canvas.Anchor.CENTRE);
      }
      if (left) {
        canvas.text(
            number, box.x() - 5, box.up(share) + 4, NUMBER_SIZE, Canvas.SOFT, Canvas.Anchor.RIGHT);
      }
    }
  }

  /** Whether all panels show the same square, so that numbers at the outer edges are enough. */
  private boolean shared() {
    return rows.stream()
            .flatMap(List::stream)
            .map(cell -> cell.panel().frame())
            .filter(Objects::nonNull)
            .distinct()
            .count()
        <= 1;
  }

  private Box box(int row, int column) {
    return new Box(
        left() + column * columnWidth(), top() + row * rowHeight() + TITLE, panel(), panel());
  }

  private double left() {
    return EDGE + (heads.isEmpty() ? 0 : HEADING) + NUMBERS_LEFT;
  }

  private double top() {
    return columns.isEmpty() ? EDGE / 2 : EDGE / 2 + HEADING;
  }

  private int across() {
    return rows.stream().mapToInt(List::size).max().orElse(1);
  }

  private double panel() {
    double room = WIDTH - left() - EDGE - (across() - 1) * between();
    return Math.max(LEAST_PANEL, Math.floor(room / across()));
  }

  private double between() {
    return GAP + (shared() ? 0 : NUMBERS_LEFT);
  }

  private double columnWidth() {
    return panel() + between();
  }

  private double rowHeight() {
    return TITLE + panel() + (shared() ? GAP / 2 : NUMBERS_BELOW);
  }
}
