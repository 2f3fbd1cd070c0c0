package cifvi.cli.plot.canvas;

import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text as shapes, from outlines in a resource: Java's own text drawing fails where no font is
 * installed, and gives other pixels with every other font.
 */
public final class Glyphs {
  private static final double EM = 1000;
  private static final Pattern SEGMENT = Pattern.compile("([MLQZ])([-\\d ]*)");
  private static final Map<Integer, Glyph> GLYPHS = read();

  private record Glyph(double advance, Path2D outline) {}

  private Glyphs() {}

  public static double width(String text, double size) {
    return text.codePoints().mapToDouble(c -> glyph(c).advance).sum() * size / EM;
  }

  /** The text's outline, its baseline beginning at (x, y). */
  public static Shape outline(String text, double x, double y, double size) {
    var all = new Path2D.Double();
    double[] at = {0};
    text.codePoints()
        .forEach(
            c -> {
              Glyph glyph = glyph(c);
              all.append(
                  glyph.outline.getPathIterator(AffineTransform.getTranslateInstance(at[0], 0)),
                  false);
              at[0] += glyph.advance;
            });
    var place = AffineTransform.getTranslateInstance(x, y);
    place.scale(size / EM, size / EM);
    return all.createTransformedShape(place);
  }

  private static Glyph glyph(int codePoint) {
    @Nullable Glyph known = GLYPHS.get(codePoint);
    return known == null ? Objects.requireNonNull(GLYPHS.get((int) '?')) : known;
  }

  private static Map<Integer, Glyph> read() {
    var stream = Objects.requireNonNull(Glyphs.class.getResourceAsStream("glyphs.txt"));
    try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      var glyphs = new HashMap<Integer, Glyph>();
      lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> add(line, glyphs));
      return glyphs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line is a code point in hexadecimal, a blank, the advance, and the path. */
  private static void add(String line, Map<Integer, Glyph> glyphs) {
    int blank = line.indexOf(' ');
    int path = line.indexOf('M');
    int end = path < 0 ? line.length() : path;
    var outline = new Path2D.Double(Path2D.WIND_NON_ZERO);
    SEGMENT.matcher(line.substring(end)).results().forEach(segment -> append(segment, outline));
    glyphs.put(
        Integer.parseInt(line.substring(0, blank), 16),
        new Glyph(Double.parseDouble(line.substring(blank + 1, end)), outline));
  }

  private static void append(MatchResult segment, Path2D outline) {
    double[] p =
        Pattern.compile("-?\\d+")
            .matcher(segment.group(2))
            .results()
            .mapToDouble(number -> Double.parseDouble(number.group()))
            .toArray();
    switch (segment.group(1)) {
      case "M" -> outline.moveTo(p[0], p[1]);
      case "L" -> outline.lineTo(p[0], p[1]);
      case "Q" -> outline.quadTo(p[0], p[1], p[2], p[3]);
      default -> outline.closePath();
    }
  }
}
