package cifvi.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.cli.plot.canvas.Glyphs;
import cifvi.experiments.figures.GreyImage;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small images in rows: where they lie and that their pixels stay square. */
class TileGridTest {
  private static final GreyImage TILE = new GreyImage(2, new double[] {0, 1, 0.5, 0});

  @TempDir private Path folder;

  private static TileGrid.Row row(String head, int tiles, boolean apart) {
    return new TileGrid.Row(head, Collections.nCopies(tiles, TILE), apart);
  }

  @Test
  void tilesFillRows() {
    TileGrid grid = TileGrid.of(Collections.nCopies(7, TILE), 3);
    assertThat(grid.rows()).extracting(row -> row.tiles().size()).containsExactly(3, 3, 1);
    assertThat(grid.box(1, 0).x()).isEqualTo(grid.box(0, 0).x());
    assertThat(grid.box(0, 1).x()).isGreaterThan(grid.box(0, 0).right());
    assertThat(grid.box(1, 0).y()).isGreaterThan(grid.box(0, 0).bottom());
  }

  @Test
  void whatIsApartHasMoreSpace() {
    var grid =
        new TileGrid(
            List.of(row("", 4, false), row("", 4, false), row("", 4, true)), List.of(), true, true);
    assertThat(across(grid, 0)).isEqualTo(across(grid, 2)).isGreaterThan(across(grid, 1));
    assertThat(grid.box(2, 0).y() - grid.box(1, 0).bottom())
        .isGreaterThan(grid.box(1, 0).y() - grid.box(0, 0).bottom());
  }

  private static double across(TileGrid grid, int column) {
    return grid.box(0, column + 1).x() - grid.box(0, column).right();
  }

  @Test
  void headsAndColumnsHaveRoom() {
    var plain = new TileGrid(List.of(row("", 2, false)), List.of(), false, false);
    var headed = new TileGrid(List.of(row("input", 2, false)), List.of("0", "1"), false, false);
    assertThat(headed.box(0, 0).x() - plain.box(0, 0).x()).isGreaterThan(Glyphs.width("input", 13));
    assertThat(headed.box(0, 0).y()).isGreaterThan(plain.box(0, 0).y() + 13);
  }

  @Test
  void everyPixelIsASquareOfWholePixels() throws IOException {
    var grid = new TileGrid(List.of(row("z₁₂", 3, false)), List.of("a", "b", "c"), false, true);
    grid.write(folder.resolve("tiles.png"));
    BufferedImage image = ImageIO.read(folder.resolve("tiles.png").toFile());
    for (int column = 0; column < 3; column++) {
      int left = real(grid.box(0, column).x());
      int top = real(grid.box(0, column).y());
      assertThat(left).isEqualTo((int) (grid.box(0, column).x() * Canvas.SCALE));
      for (int y = 0; y < 6; y++) {
        for (int x = 0; x < 6; x++) {
          double grey = (image.getRGB(left + x, top + y) & 255) / 255.0;
          assertThat(Math.abs(grey - TILE.at(x / 3, y / 3))).isLessThan(0.02);
        }
      }
    }
    Box last = grid.box(0, 2);
    assertThat(image.getWidth()).isGreaterThan(real(last.right()));
  }

  private static int real(double logical) {
    return (int) Math.round(logical * Canvas.SCALE);
  }

  @Test
  void labelsMoveApart() {
    var boxes = List.of(new Box(0, 0, 10, 10), new Box(2, 1, 10, 10), new Box(50, 0, 10, 10));
    List<Box> apart = Apart.of(boxes);
    assertThat(apart.get(0).shape().intersects(apart.get(1).shape().getBounds2D())).isFalse();
    assertThat(apart.get(2)).isEqualTo(boxes.get(2));
    assertThat(apart.get(1).x() - apart.get(0).x()).isBetween(9.9, 10.1);
    List<Box> same = Apart.of(Collections.nCopies(10, new Box(0, 0, 10, 10)));
    assertThat(same).doesNotHaveDuplicates();
  }

  @Test
  void errorsDecideTheDecimals() {
    assertThat(Numerals.measured(-103.9612, 0.2634)).isEqualTo("−103.96 ± 0.26");
    assertThat(Numerals.measured(0.47318, 0.00474)).isEqualTo("0.4732 ± 0.0047");
    assertThat(Numerals.measured(-1234.5, 13.2)).isEqualTo("−1,235 ± 13");
    assertThat(Numerals.measured(1.25, Double.NaN)).isEqualTo("1.25 ± not finite");
    assertThat(Numerals.subscript(120)).isEqualTo("₁₂₀");
  }
}
