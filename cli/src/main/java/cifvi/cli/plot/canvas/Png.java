package cifvi.cli.plot.canvas;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Small PNG files. */
public final class Png {
  private Png() {}

  public static byte[] encode(BufferedImage image) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var writer = ImageIO.getImageWritersByFormatName("png").next();
    try (var out = new MemoryCacheImageOutputStream(bytes)) {
      var options = writer.getDefaultWriteParam();
      options.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      options.setCompressionQuality(0);
      writer.setOutput(out);
      writer.write(null, new IIOImage(Palette.reduce(image), null, null), options);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }
}
