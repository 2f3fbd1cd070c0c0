package cifvi.cli.plot.canvas;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines. */
public final class Lines {
  private Lines() {}

  /** Lines of whole words, each as long as the width allows. */
  public static List<String> wrap(String text, double width, double size) {
    var lines = new ArrayList<String>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && Glyphs.width(longer, size) > width) {
        lines.add(line);
        longer = word;
      }
      line = longer;
    }
    lines.add(line);
    return lines;
  }
}
