package cifvi.cli.plot;

import java.awt.Color;

/** Colour scales. */
final class Colours {
  static final int LEVELS = 20;

  /** The ends, the middle and what lies between of the cool-warm scale (Moreland, 2009). */
  private static final int[] COOL_WARM = {
    0x3b4cc0, 0x4d68d7, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2ff, 0xb8d0f9, 0xccd9ee, 0xdddddd,
    0xecd3c5, 0xf5c4ad, 0xf7b194, 0xf49a7b, 0xec7f63, 0xde604d, 0xcb3e38, 0xb40426
  };

  /** Ten colours that colour-blind readers can tell apart, too (Petroff, 2021). */
  private static final int[] CLASSES = {
    0x3f90da, 0xffa90e, 0xbd1f01, 0x94a4a2, 0x832db6, 0xa96b59, 0xe76300, 0xb9ac70, 0x717581,
    0x92dadd
  };

  private Colours() {}

  static Color ofClass(int label) {
    return new Color(CLASSES[label % CLASSES.length]);
  }

  /** From blue over grey to red for t from 0 to 1. */
  static Color coolWarm(double t) {
    double at = Math.clamp(t, 0, 1) * (COOL_WARM.length - 1);
    int below = Math.min((int) at, COOL_WARM.length - 2);
    return mix(new Color(COOL_WARM[below]), new Color(COOL_WARM[below + 1]), at - below);
  }

  /** The same in 20 levels. */
  static Color coolWarmLevel(double t) {
    int level = Math.clamp((int) (t * LEVELS), 0, LEVELS - 1);
    return coolWarm((level + 0.5) / LEVELS);
  }

  /** A share {@code t} of b, the rest of a. */
  static Color mix(Color a, Color b, double t) {
    return new Color(
        channel(a.getRed(), b.getRed(), t),
        channel(a.getGreen(), b.getGreen(), t),
        channel(a.getBlue(), b.getBlue(), t));
  }

  private static int channel(int a, int b, double t) {
    return (int) Math.round(a + t * (b - a));
  }

  static Color withOpacity(Color colour, double opacity) {
    return new Color(
        colour.getRed(), colour.getGreen(), colour.getBlue(), (int) Math.round(255 * opacity));
  }

  /**
   * A colour for every place of the square [-1, 1]²: the hue says in which direction, the
   * saturation how far from the middle. Equally light everywhere (Oklab).
   */
  static Color ofPlace(double x, double y) {
    double chroma = 0.17 * Math.min(1, Math.hypot(x, y) / 0.6);
    double direction = Math.hypot(x, y) + 1e-12;
    return oklab(0.66, chroma * x / direction, chroma * y / direction);
  }

  private static Color oklab(double lightness, double a, double b) {
    double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    return new Color(
        gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        gamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
  }

  private static double cube(double v) {
    return v * v * v;
  }

  private static float gamma(double linear) {
    double v = Math.clamp(linear, 0, 1);
    return (float) (v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055);
  }
}
