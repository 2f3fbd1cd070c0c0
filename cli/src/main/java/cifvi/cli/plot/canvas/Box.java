package cifvi.cli.plot.canvas;

import java.awt.geom.Rectangle2D;

/** A rectangle of a picture, in logical pixels, y downwards. */
public record Box(double x, double y, double width, double height) {
  public double right() {
    return x + width;
  }

  public double bottom() {
    return y + height;
  }

  public double centreX() {
    return x + width / 2;
  }

  public double centreY() {
    return y + height / 2;
  }

  /** The horizontal position of a share from left to right. */
  public double across(double share) {
    return x + share * width;
  }

  /** The vertical position of a share from bottom to top. */
  public double up(double share) {
    return bottom() - share * height;
  }

  public Box moved(double right, double down) {
    return new Box(x + right, y + down, width, height);
  }

  public Rectangle2D shape() {
    return new Rectangle2D.Double(x, y, width, height);
  }
}
