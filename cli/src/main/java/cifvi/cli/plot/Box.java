package cifvi.cli.plot;

import java.awt.geom.Rectangle2D;

/** A rectangle of a picture, in logical pixels, y downwards. */
record Box(double x, double y, double width, double height) {
  double right() {
    return x + width;
  }

  double bottom() {
    return y + height;
  }

  double centreX() {
    return x + width / 2;
  }

  double centreY() {
    return y + height / 2;
  }

  /** The horizontal position of a share from left to right. */
  double across(double share) {
    return x + share * width;
  }

  /** The vertical position of a share from bottom to top. */
  double up(double share) {
    return bottom() - share * height;
  }

  Box moved(double right, double down) {
    return new Box(x + right, y + down, width, height);
  }

  Rectangle2D shape() {
    return new Rectangle2D.Double(x, y, width, height);
  }
}
