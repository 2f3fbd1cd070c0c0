package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.experiments.figures.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cool-warm scale with numbers.
 *
 * @param limit the number at the warm end; its negative is at the cool end
 */
record ColourBar(double limit, String label) implements Panel {
  private static final int STRIPES = Colours.LEVELS;

  @Override
  public @Nullable Frame frame() {
    return null;
  }

  @Override
  public void paint(Canvas canvas, Box box) {
    double width = 0.82 * box.width();
    var bar = new Box(box.centreX() - width / 2, box.centreY() - 6, width, 12);
    for (int i = 0; i < STRIPES; i++) {
      double x = bar.across(i / (double) STRIPES);
      var stripe = new Box(x, bar.y(), bar.right() - x, bar.height());
      canvas.fill(stripe.shape(), Colours.coolWarm((i + 0.5) / STRIPES));
    }
    for (double value : List.of(-limit, 0.0, limit)) {
      double x = bar.across((value / limit + 1) / 2);
      canvas.text(
          Numerals.plain(value), x, bar.bottom() + 15, 10, Canvas.SOFT, Canvas.Anchor.CENTRE);
    }
    var above = new Box(box.x(), bar.y() - 46, box.width(), 40);
    canvas.paragraph(label, above, 10.5, Canvas.INK);
  }
}
