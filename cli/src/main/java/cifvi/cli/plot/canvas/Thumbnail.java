package cifvi.cli.plot.canvas;

import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** Pictures made small. */
public final class Thumbnail {
  private Thumbnail() {}

  /** The picture in a PNG file at this width, as PNG. */
  public static byte[] of(Path png, int width) throws IOException {
    BufferedImage image = ImageIO.read(png.toFile());
    if (image == null) {
      throw new IOException(png + ": not a picture");
    }
    int sharp = Math.min(2 * width, image.getWidth()); // for screens with two dots a pixel
    int height = Math.max(1, Math.round((float) image.getHeight() * sharp / image.getWidth()));
    var small = new BufferedImage(sharp, height, BufferedImage.TYPE_INT_RGB);
    var graphics = small.createGraphics();
    graphics.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
    graphics.drawImage(image, 0, 0, sharp, height, null);
    graphics.dispose();
    return Png.encode(small);
  }
}
