package cifvi.cli.plot.canvas;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An image with few colours, a third in size: the most frequent ones stay exactly as they are,
 * every other becomes the nearest of them.
 */
public final class Palette {
  private static final int COLOURS = 96;
  private static final int COARSE = 0xf8f8f8;

  private final List<Integer> colours;
  private final Map<Integer, Byte> nearest = new HashMap<>();

  private Palette(List<Integer> colours) {
    this.colours = colours;
  }

  public static BufferedImage reduce(BufferedImage image) {
    int width = image.getWidth();
    int[] pixels = image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
    var palette = new Palette(frequent(pixels));
    byte[] indices = new byte[pixels.length];
    for (int i = 0; i < pixels.length; i++) {
      indices[i] = palette.nearest.computeIfAbsent(pixels[i], palette::find);
    }
    var reduced =
        new BufferedImage(
            width, image.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, palette.model());
    reduced.getRaster().setDataElements(0, 0, width, image.getHeight(), indices);
    return reduced;
  }

  /** The most frequent colours, of those that look alike only the most frequent one. */
  private static List<Integer> frequent(int[] pixels) {
    var counts = new HashMap<Integer, Integer>();
    for (int pixel : pixels) {
      counts.merge(pixel, 1, Integer::sum);
    }
    var alike = new HashMap<Integer, Integer>();
    var best = new HashMap<Integer, Integer>();
    counts.forEach(
        (colour, count) -> {
          int coarse = colour & COARSE;
          alike.merge(coarse, count, Integer::sum);
          best.merge(coarse, colour, (a, b) -> order(counts).compare(a, b) <= 0 ? a : b);
        });
    return alike.keySet().stream().sorted(order(alike)).limit(COLOURS).map(best::get).toList();
  }

  private static Comparator<Integer> order(Map<Integer, Integer> counts) {
    return Comparator.comparingInt((Integer colour) -> -counts.getOrDefault(colour, 0))
        .thenComparing(Comparator.naturalOrder());
  }

  private byte find(int colour) {
    int best = 0;
    for (int i = 1; i < colours.size(); i++) {
      if (distance(colour, colours.get(i)) < distance(colour, colours.get(best))) {
        best = i;
      }
    }
    return (byte) best;
  }

  private static int distance(int a, int b) {
    int red = ((a >> 16) & 255) - ((b >> 16) & 255);
    int green = ((a >> 8) & 255) - ((b >> 8) & 255);
    int blue = (a & 255) - (b & 255);
    return red * red + green * green + blue * blue;
  }

  private IndexColorModel model() {
    int[] rgb = colours.stream().mapToInt(Integer::intValue).toArray();
    return new IndexColorModel(8, rgb.length, rgb, 0, false, -1, DataBuffer.TYPE_BYTE);
  }
}
