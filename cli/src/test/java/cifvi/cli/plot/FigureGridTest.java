package cifvi.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.DensityGrid;
import cifvi.experiments.figures.DrawnDensity;
import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.Kde;
import cifvi.experiments.figures.Passage;
import cifvi.experiments.figures.Points;
import cifvi.experiments.run.StepRow;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures as files: they exist, have their size and show something. */
class FigureGridTest {
  private static final Frame FRAME = new Frame(3);

  @TempDir private Path folder;

  private static Points cloud(double spread) {
    var random = new Random(1);
    return new Points(
        DoubleStream.generate(() -> spread * random.nextGaussian()).limit(300).toArray(),
        DoubleStream.generate(() -> spread * random.nextGaussian()).limit(300).toArray());
  }

  private static DrawnDensity drawn(Points points) {
    Kde kde = Kde.of(points);
    return new DrawnDensity(kde.on(FRAME, 41), "kernel", points.inside(FRAME), points.count());
  }

  private BufferedImage read(String name) throws IOException {
    return ImageIO.read(folder.resolve(name).toFile());
  }

  private static long colours(BufferedImage image) {
    return Arrays.stream(
            image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
        .distinct()
        .count();
  }

  @Test
  void densityHasItsSizeAndLevels() throws IOException {
    var cell = Cell.density("marginal ELBO = −0.123", drawn(cloud(0.7)));
    assertThat(cell.panel()).isInstanceOf(HeatMap.class);
    FigureGrid.write(List.of(List.of(cell, cell)), folder.resolve("density.png"));
    BufferedImage image = read("density.png");
    assertThat(image.getWidth()).isEqualTo(1120);
    assertThat(image.getHeight()).isBetween(540, 660);
    assertThat(colours(image)).isGreaterThan(40);
  }

  @Test
  void drawsOutsideGiveASentence() throws IOException {
    var cell = Cell.density("ELBO = −1140", drawn(cloud(100)));
    assertThat(cell.panel()).isInstanceOf(Message.class);
    assertThat(((Message) cell.panel()).sentence()).contains("none of 300 draws");
    FigureGrid.write(List.of(List.of(cell)), folder.resolve("message.png"));
    assertThat(colours(read("message.png"))).isGreaterThan(8);
  }

  @Test
  void gridHasHeadings() throws IOException {
    var density = new DensityGrid(FRAME, 2, new double[] {0, 1, 2, 3});
    List<Cell> row = Collections.nCopies(3, Cell.density("ELBO = −0.1 ± 0.02", density));
    FigureGrid.of(List.of(row, row))
        .withHeadings(List.of("σ₀ = 0.1", "σ₀ = 1", "σ₀ = 10"), List.of("CIF-NSF", "NSF"))
        .write(folder.resolve("made/here/grid.png"));
    assertThat(read("made/here/grid.png").getWidth()).isBetween(1110, 1120);
  }

  @Test
  void passageHasLayersAndIndices() throws IOException {
    Points points = cloud(1);
    double[] u = points.x().toArray();
    var figures =
        new PassageFigures(
            new Passage(Collections.nCopies(6, points), Collections.nCopies(5, u)), FRAME);
    figures.writeLayers(folder.resolve("layers.png"));
    figures.writeIndices(folder.resolve("index.png"));
    assertThat(colours(read("layers.png"))).isGreaterThan(50);
    assertThat(colours(read("index.png"))).isGreaterThan(50);
  }

  @Test
  void curveIsDrawnEvenWithoutAStep() throws IOException {
    List<StepRow> rows =
        LongStream.rangeClosed(1, 500)
            .mapToObj(step -> new StepRow(step, -100.0 / step, 1, 0.001, 20))
            .toList();
    CurveFigure.of(Curve.of(rows, 400)).write(folder.resolve("curves.png"));
    CurveFigure.of(Curve.of(List.of(), 400)).write(folder.resolve("none.png"));
    assertThat(read("curves.png").getWidth()).isEqualTo(1120);
    assertThat(colours(read("curves.png"))).isGreaterThan(colours(read("none.png")));
  }
}
