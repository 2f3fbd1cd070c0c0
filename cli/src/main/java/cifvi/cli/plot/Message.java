package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.experiments.figures.Frame;
import java.awt.Color;
import org.jspecify.annotations.Nullable;

/** A sentence in place of a picture that would mislead. */
record Message(String sentence, @Nullable Frame frame) implements Panel {
  private static final Color GROUND = new Color(0xf3f4f6);

  @Override
  public void paint(Canvas canvas, Box box) {
    canvas.fill(box.shape(), GROUND);
    double margin = 0.08 * box.width();
    var inner = new Box(box.x() + margin, box.y(), box.width() - 2 * margin, box.height());
    canvas.paragraph(sentence, inner, 12, Canvas.INK);
  }
}
