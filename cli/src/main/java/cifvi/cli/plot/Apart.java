package cifvi.cli.plot;

import cifvi.cli.plot.canvas.Box;
import java.util.ArrayList;
import java.util.List;

/** Moves labels that lie on each other. */
final class Apart {
  private static final int MOST_ROUNDS = 200;

  private Apart() {}

  /** Boxes of the same sizes near their places, none on another unless there is no room. */
  static List<Box> of(List<Box> boxes) {
    var moved = new ArrayList<>(boxes);
    boolean changed = true;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
      changed = false;
      for (int i = 0; i < moved.size(); i++) {
        for (int j = i + 1; j < moved.size(); j++) {
          changed |= push(moved, i, j);
        }
      }
    }
    return moved;
  }

  /** Moves two boxes by half their overlap each, the way that is shorter. */
  private static boolean push(List<Box> boxes, int i, int j) {
    Box a = boxes.get(i);
    Box b = boxes.get(j);
    double across = (a.width() + b.width()) / 2 - Math.abs(a.centreX() - b.centreX());
    double down = (a.height() + b.height()) / 2 - Math.abs(a.centreY() - b.centreY());
    if (across <= 1e-6 || down <= 1e-6) {
      return false;
    }
    double x = across < down ? across / 2 * (a.centreX() < b.centreX() ? -1 : 1) : 0;
    double y = across < down ? 0 : down / 2 * (a.centreY() < b.centreY() ? -1 : 1);
    boxes.set(i, a.moved(x, y));
    boxes.set(j, b.moved(-x, -y));
    return true;
  }
}
