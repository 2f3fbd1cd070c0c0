package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.cli.plot.canvas.Glyphs;
import cifvi.cli.plot.canvas.Ground;
import cifvi.experiments.figures.GreyImage;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Small grey images in rows, every pixel a square of whole pixels; on a dark ground, which suits
 * images that are mostly black on a page of either kind.
 *
 * @param columns headings, or none
 * @param firstApart whether more space sets the first column apart
 * @param lastApart the same of the last
 */
record TileGrid(List<Row> rows, List<String> columns, boolean firstApart, boolean lastApart) {
  private static final Ground GROUND = Ground.DARK;
  private static final int ENLARGED = 3;
  private static final double EDGE = 12;
  private static final double GAP = 4;
  private static final double WIDE_GAP = 14;
  private static final double TEXT = 13;
  private static final double HEADING = 20;

  /**
   * A row of images.
   *
   * @param head what stands at its left, or nothing
   * @param apart whether more space sets it apart from the row above
   */
  record Row(String head, List<GreyImage> tiles, boolean apart) {}

  /** Images without any text, in rows of {@code across}. */
  static TileGrid of(List<GreyImage> tiles, int across) {
    return new TileGrid(
        IntStream.range(0, Math.ceilDiv(tiles.size(), across))
            .mapToObj(r -> tiles.subList(r * across, Math.min(tiles.size(), (r + 1) * across)))
            .map(row -> new Row("", row, false))
            .toList(),
        List.of(),
        false,
        false);
  }

  void write(Path png) {
    Box corner = box(rows.size() - 1, across() - 1);
    var canvas = new Canvas(corner.right() + EDGE, corner.bottom() + EDGE, GROUND);
    for (int column = 0; column < columns.size(); column++) {
      Box below = box(0, column);
      canvas.text(
          columns.get(column),
          below.centreX(),
          below.y() - 8,
          headingSize(below.width()),
          GROUND.ink,
          Canvas.Anchor.CENTRE);
    }
    for (int row = 0; row < rows.size(); row++) {
      canvas.text(
          rows.get(row).head,
          box(row, 0).x() - 10,
          box(row, 0).centreY() + TEXT / 3,
          TEXT,
          GROUND.soft,
          Canvas.Anchor.RIGHT);
      for (int column = 0; column < rows.get(row).tiles.size(); column++) {
        Box box = box(row, column);
        canvas.image(enlarged(rows.get(row).tiles.get(column)), box.x(), box.y());
      }
    }
    canvas.write(png);
  }

  /** The usual size, or the one at which every heading fits. */
  private double headingSize(double width) {
    double widest = columns.stream().mapToDouble(c -> Glyphs.width(c, TEXT)).max().orElse(0);
    return Math.min(TEXT, TEXT * width / widest);
  }

  private static BufferedImage enlarged(GreyImage tile) {
    var pixels =
        new BufferedImage(
            ENLARGED * tile.width(), ENLARGED * tile.height(), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < pixels.getHeight(); y++) {
      for (int x = 0; x < pixels.getWidth(); x++) {
        float grey = (float) Math.clamp(tile.at(x / ENLARGED, y / ENLARGED), 0, 1);
        pixels.setRGB(x, y, new Color(grey, grey, grey).getRGB());
      }
    }
    return pixels;
  }

  /** Where a tile lies, on whole real pixels. */
  Box box(int row, int column) {
    GreyImage tile = rows.getFirst().tiles.getFirst();
    double width = (double) ENLARGED * tile.width() / Canvas.SCALE;
    double height = (double) ENLARGED * tile.height() / Canvas.SCALE;
    double wide = WIDE_GAP - GAP;
    double x = EDGE + heads() + column * (width + GAP);
    x += firstApart && column > 0 ? wide : 0;
    x += lastApart && column == across() - 1 ? wide : 0;
    long apart = rows.subList(0, row + 1).stream().filter(Row::apart).count();
    double y = EDGE + (columns.isEmpty() ? 0 : HEADING) + row * (height + GAP) + apart * wide;
    return new Box(x, y, width, height);
  }

  private int across() {
    return rows.stream().mapToInt(row -> row.tiles.size()).max().orElse(0);
  }

  /** The width of the heads with the space after them. */
  private double heads() {
    double widest = rows.stream().mapToDouble(r -> Glyphs.width(r.head, TEXT)).max().orElse(0);
    return widest == 0 ? 0 : Math.ceil(widest) + 10;
  }
}
