package cifvi.experiments.density;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.files.UserException;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the points of built-in sets and pictures lie. */
class PlaneSetTest {
  private static final int ROWS = 2000;

  @ParameterizedTest
  @EnumSource
  void pointsFollowFromTheSeedAndAreNearTheOrigin(PlaneSet set) {
    double[][] points = set.draw(ROWS, 1);
    assertThat(points).isDeepEqualTo(set.draw(ROWS, 1));
    assertThat(Arrays.copyOf(points, 10)).isDeepEqualTo(set.draw(10, 1));
    assertThat(points[0]).isNotEqualTo(set.draw(1, 2)[0]);
    for (int c = 0; c < 2; c++) {
      int column = c;
      double mean = Arrays.stream(points).mapToDouble(p -> p[column]).average().orElseThrow();
      assertThat(mean).isCloseTo(0, within(0.5));
      assertThat(Arrays.stream(points).mapToDouble(p -> Math.abs(p[column])).max().orElseThrow())
          .isBetween(1.0, 6.0);
    }
    assertThat(PlaneSet.named(set.toString())).contains(set);
  }

  /** Dark squares alone, all of them, equally often. */
  @Test
  void aCheckerboardIsEvenOnItsDarkSquares() {
    int[][] counts = new int[4][4];
    for (double[] point : PlaneSet.CHECKERBOARD.draw(8 * ROWS, 3)) {
      counts[(int) Math.floor(point[0] / 2) + 2][(int) Math.floor(point[1] / 2) + 2]++;
    }
    double slack = 5 * Math.sqrt(ROWS);
    for (int x = 0; x < 4; x++) {
      for (int y = 0; y < 4; y++) {
        assertThat((double) counts[x][y])
            .isCloseTo((x + y) % 2 == 0 ? ROWS : 0, within((x + y) % 2 == 0 ? slack : 0));
      }
    }
  }

  @Test
  void aPictureIsLikelyWhereItIsDark(@TempDir Path folder) throws IOException {
    var image = new BufferedImage(4, 2, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < 4; x++) {
      image.setRGB(x, 0, Color.WHITE.getRGB());
      image.setRGB(x, 1, Color.WHITE.getRGB());
    }
    Path file = folder.resolve("picture.png");
    ImageIO.write(image, "png", file.toFile());
    assertThatThrownBy(() -> Picture.read(file))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("all white");
    image.setRGB(3, 0, Color.BLACK.getRGB());
    ImageIO.write(image, "png", file.toFile());
    double[][] points = PlaneSet.draw(Picture.read(file), 100, 1);
    for (double[] point : points) {
      assertThat(point[0]).isBetween(2.0, 4.0);
      assertThat(point[1]).isBetween(0.0, 2.0);
    }
  }
}
