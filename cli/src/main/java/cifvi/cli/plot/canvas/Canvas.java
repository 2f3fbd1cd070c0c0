package cifvi.cli.plot.canvas;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A picture in the making, measured in logical pixels, each of which is 2 x 2 real ones. */
public final class Canvas {
  public static final int SCALE = 2;
  public static final Color INK = Ground.LIGHT.ink;
  public static final Color SOFT = Ground.LIGHT.soft;
  public static final Color RULE = Ground.LIGHT.rule;

  private final BufferedImage image;
  private final Graphics2D graphics;

  static {
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }

  /** White. */
  public Canvas(double width, double height) {
    this(width, height, Ground.LIGHT);
  }

  public Canvas(double width, double height, Ground ground) {
    image =
        new BufferedImage(
            (int) Math.ceil(width * SCALE),
            (int) Math.ceil(height * SCALE),
            BufferedImage.TYPE_INT_RGB);
    graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.setColor(ground.paper);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.scale(SCALE, SCALE);
  }

  public void fill(Shape shape, Color colour) {
    graphics.setColor(colour);
    graphics.fill(shape);
  }

  public void stroke(Shape shape, Color colour, double width) {
    graphics.setColor(colour);
    graphics.setStroke(
        new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    graphics.draw(shape);
  }

  public void line(double x1, double y1, double x2, double y2, Color colour, double width) {
    stroke(new Line2D.Double(x1, y1, x2, y2), colour, width);
  }

  /** A disc around (x, y). */
  public void dot(double x, double y, double diameter, Color colour) {
    fill(new Ellipse2D.Double(x - diameter / 2, y - diameter / 2, diameter, diameter), colour);
  }

  /** Draws only inside the box until {@link #unclip}. */
  public void clip(Box box) {
    graphics.setClip(box.shape());
  }

  public void unclip() {
    graphics.setClip(null);
  }

  /** An image of real pixels, its corner at logical (x, y). */
  public void image(BufferedImage pixels, double x, double y) {
    var place = AffineTransform.getTranslateInstance(x, y);
    place.scale(1.0 / SCALE, 1.0 / SCALE);
    graphics.drawImage(pixels, place, null);
  }

  /** Which part of a text lies at the given position. */
  public enum Anchor {
    LEFT(0),
    CENTRE(0.5),
    RIGHT(1);

    private final double share;

    Anchor(double share) {
      this.share = share;
    }
  }

  /** A line of text with its baseline at y. */
  public void text(String text, double x, double y, double size, Color colour, Anchor anchor) {
    double left = x - anchor.share * Glyphs.width(text, size);
    fill(Glyphs.outline(text, left, y, size), colour);
  }

  /** A line of text read upwards, its middle at (x, y). */
  public void upwards(String text, double x, double y, double size, Color colour) {
    AffineTransform before = graphics.getTransform();
    graphics.rotate(-Math.PI / 2, x, y);
    text(text, x, y, size, colour, Anchor.CENTRE);
    graphics.setTransform(before);
  }

  /** Lines of text around the middle of the box, broken at blanks to fit its width. */
  public void paragraph(String text, Box box, double size, Color colour) {
    List<String> lines = Lines.wrap(text, box.width(), size);
    double lead = 1.45 * size;
    double y = box.centreY() - lead * (lines.size() - 1) / 2 + size / 3;
    for (int i = 0; i < lines.size(); i++) {
      text(lines.get(i), box.centreX(), y + i * lead, size, colour, Anchor.CENTRE);
    }
  }

  public void write(Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.write(file, Png.encode(image));
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }
}
