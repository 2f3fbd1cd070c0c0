package cifvi.experiments.density;

import cifvi.experiments.files.UserException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/**
 * A picture as a density: a pixel is the likelier the darker it is, and even within. The longer
 * side reaches from -4 to 4.
 */
final class Picture {
  private static final double SIDE = 8;

  /** The letters of the paper's flows. */
  static final Picture LETTERS =
      of(
          List.of(
              ".###..###.####",
              "#......#..#...",
              "#......#..#...",
              "#......#..###.",
              "#......#..#...",
              "#......#..#...",
              ".###..###.#..."));

  private final int width;
  private final int height;
  private final double[] cumulative;

  private Picture(int width, int height, double[] darkness) {
    this.width = width;
    this.height = height;
    cumulative = darkness;
    Arrays.parallelPrefix(cumulative, Double::sum);
  }

  private static Picture of(List<String> lines) {
    int width = lines.getFirst().length();
    double[] darkness = String.join("", lines).chars().mapToDouble(c -> c == '#' ? 1 : 0).toArray();
    return new Picture(width, lines.size(), darkness);
  }

  /** The picture of a PNG file; what is transparent is white. */
  static Picture read(Path file) {
    try {
      @Nullable BufferedImage image = ImageIO.read(file.toFile());
      if (image == null) {
        throw new UserException(file + ": expected a PNG picture, got something else");
      }
      double[] darkness = new double[Math.multiplyExact(image.getWidth(), image.getHeight())];
      Arrays.setAll(
          darkness, i -> darkness(image.getRGB(i % image.getWidth(), i / image.getWidth())));
      if (Arrays.stream(darkness).sum() == 0) {
        throw new UserException(file + ": all white: it is the dark places that are likely");
      }
      return new Picture(image.getWidth(), image.getHeight(), darkness);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static double darkness(int argb) {
    int light = (argb >> 16 & 255) + (argb >> 8 & 255) + (argb & 255);
    return (argb >>> 24) * (3 * 255 - light);
  }

  /** A point from three uniforms. */
  double[] point(double[] u) {
    double sum = u[0] * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, sum);
    int pixel = found < 0 ? -found - 1 : found;
    while (pixel > 0 && cumulative[pixel] == cumulative[pixel - 1]) {
      pixel++; // a white one, which no sum is meant for
    }
    int row = pixel / width;
    double scale = SIDE / Math.max(width, height);
    return new double[] {
      scale * (pixel % width + u[1] - width / 2.0), scale * (height / 2.0 - row - u[2])
    };
  }
}
