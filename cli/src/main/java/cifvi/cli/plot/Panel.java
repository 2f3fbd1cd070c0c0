package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import cifvi.cli.plot.canvas.Canvas;
import cifvi.experiments.figures.Frame;
import org.jspecify.annotations.Nullable;

/** What fills one square of a figure. */
interface Panel {
  /** What the square shows, so that its edges get numbers; null where it has no axes. */
  @Nullable Frame frame();

  void paint(Canvas canvas, Box box);
}
