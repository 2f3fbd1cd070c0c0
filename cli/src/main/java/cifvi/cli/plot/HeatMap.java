package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.experiments.figures.DensityGrid;
import cifvi.experiments.figures.Frame;
import java.awt.Color;
import java.awt.image.BufferedImage;

/**
 * A density in 20 filled levels from 0 to its maximum, cool to warm, the lowest being the
 * background as in the paper's figures.
 */
record HeatMap(DensityGrid density) implements Panel {
  private static final int FINER = 2;
  private static final double HALF = 0.5 / FINER;
  private static final Color GROUND = Colours.coolWarm(1.0 / Colours.LEVELS);

  @Override
  public Frame frame() {
    return density.frame();
  }

  @Override
  public void paint(Canvas canvas, Box box) {
    int width = (int) Math.round(box.width() * Canvas.SCALE);
    int height = (int) Math.round(box.height() * Canvas.SCALE);
    double top = Math.max(density.max(), Double.MIN_NORMAL);
    var pixels = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int row = 0; row < height; row++) {
      for (int column = 0; column < width; column++) {
        pixels.setRGB(column, row, pixel(column, row, width, height, top));
      }
    }
    canvas.image(pixels, box.x(), box.y());
  }

  /** The mean colour of some places in a pixel, which makes the levels' edges smooth. */
  private int pixel(int column, int row, int width, int height, double top) {
    int red = 0;
    int green = 0;
    int blue = 0;
    for (double down = HALF; down < 1; down += 2 * HALF) {
      for (double right = HALF; right < 1; right += 2 * HALF) {
        Color colour =
            band(density.between((column + right) / width, 1 - (row + down) / height), top);
        red += colour.getRed();
        green += colour.getGreen();
        blue += colour.getBlue();
      }
    }
    int count = FINER * FINER;
    return new Color(red / count, green / count, blue / count).getRGB();
  }

  private static Color band(double value, double top) {
    return value / top < 1.0 / Colours.LEVELS ? GROUND : Colours.coolWarmLevel(value / top);
  }
}
