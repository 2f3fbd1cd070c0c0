package cifvi.experiments.files;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Comma-separated values as RFC 4180 has them, with our ends of lines: a cell that holds a comma, a
 * quote or an end of a line stands in quotes, and quotes in it are doubled.
 */
public final class Csv {
  /**
   * One line of a file, or several where a quoted cell has ends of lines in it.
   *
   * @param number of its first line in the file, counted from 1
   * @param text as it stands there
   */
  public record Line(int number, String text, List<String> cells) {}

  private Csv() {}

  /** A line with its end; nothing for null. */
  public static String line(List<?> cells) {
    return line(cells.stream());
  }

  public static String line(Stream<?> cells) {
    return cells
        .map(cell -> quoted(Objects.toString(cell, "")))
        .collect(Collectors.joining(",", "", "\n"));
  }

  private static String quoted(String cell) {
    return cell.matches("[^\",\n\r]*") ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
  }

  /** The cells of a line, whose end may be missing. */
  public static List<String> cells(String line) {
    var cells = new ArrayList<List<String>>();
    read(line + "\n", found -> cells.add(found.cells()));
    return cells.getFirst();
  }

  /**
   * Hands over the lines of a text from the first on. A last one without its end, still being
   * written, is left out.
   *
   * @throws IllegalArgumentException after the last whole line before a quote that is not closed,
   *     where more than a line follows it
   */
  public static void read(String text, Consumer<Line> each) {
    int number = 1;
    int start = 0;
    while (start < text.length()) {
      var cells = new ArrayList<String>();
      int end = readLine(text, start, cells);
      if (end < 0) {
        if (text.indexOf('\n', start) >= 0) {
          throw new IllegalArgumentException(
              "line " + number + " has a quote that is not closed: " + firstLine(text, start));
        }
        return;
      }
      String line = text.substring(start, end);
      each.accept(new Line(number, line.replaceFirst("\r$", ""), List.copyOf(cells)));
      number += (int) line.chars().filter(c -> c == '\n').count() + 1;
      start = end + 1;
    }
  }

  private static String firstLine(String text, int start) {
    return text.substring(start, text.indexOf('\n', start));
  }

  /** Takes the cells of the line that starts there; its end, or -1 where it has none. */
  private static int readLine(String text, int start, List<String> cells) {
    var cell = new StringBuilder();
    boolean quoted = false;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c != '"') {
          cell.append(c);
        } else if (text.startsWith("\"\"", i)) {
          cell.append(c);
          i++;
        } else {
          quoted = false;
        }
      } else if (c == '"' && isFirst(text, start, i)) {
        quoted = true;
      } else if (c == ',' || c == '\n') {
        cells.add(cell.toString());
        cell.setLength(0);
        if (c == '\n') {
          return i;
        }
      } else if (c != '\r' || !text.startsWith("\n", i + 1)) {
        cell.append(c);
      }
    }
    return -1;
  }

  /** Whether a cell begins there; a quote anywhere else stands for itself. */
  private static boolean isFirst(String text, int start, int i) {
    return i == start || text.charAt(i - 1) == ',';
  }
}
