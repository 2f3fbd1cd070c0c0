package cifvi.experiments.regression;

import cifvi.experiments.files.Nearest;
import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table of finite numbers with a name for every column, read in one pass: 8 bytes a number are
 * kept, and as many again while the table grows.
 */
public final class CsvTable {
  private static final int FIRST_ROWS = 1024;

  private final Path file;
  private final List<String> columns;
  private final double[][] values;
  private int rows;

  private CsvTable(Path file, List<String> columns) {
    this.file = file;
    this.columns = List.copyOf(columns);
    values = new double[columns.size()][FIRST_ROWS];
  }

  /**
   * The numbers of a CSV file (RFC 4180) whose first record holds the names.
   *
   * @throws UserException where a cell is missing or no number, with its row and column, or the
   *     file is no such table
   */
  public static CsvTable read(Path file) {
    return read(file, true);
  }

  /**
   * Likewise where the names may be missing: a first record of numbers alone is a row, and columns
   * are named x1, x2, ….
   */
  public static CsvTable readNumbers(Path file) {
    return read(file, false);
  }

  private static CsvTable read(Path file, boolean named) {
    try (var cells = new CsvCells(file)) {
      var record = new ArrayList<String>();
      if (!cells.read(record)) {
        throw new UserException(
            file + ": empty; expected a line with the names of the columns, and rows of numbers");
      }
      boolean row = !named && isNumbers(record);
      var table = new CsvTable(file, row ? numbered(record.size()) : header(file, record));
      if (row) {
        table.add(record, cells.line());
      }
      while (cells.read(record)) {
        table.add(record, cells.line());
      }
      if (table.rows == 0) {
        throw new UserException(file + ": the names of columns, but no rows");
      }
      Arrays.setAll(table.values, c -> Arrays.copyOf(table.values[c], table.rows));
      return table;
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean isNumbers(List<String> record) {
    return record.stream().noneMatch(cell -> Double.isNaN(parse(cell.strip())));
  }

  private static List<String> numbered(int columns) {
    return IntStream.rangeClosed(1, columns).mapToObj(c -> "x" + c).toList();
  }

  private static List<String> header(Path file, List<String> record) {
    List<String> names = record.stream().map(String::strip).toList();
    if (isNumbers(names)) {
      throw new UserException(
          file + ": the first line holds numbers; expected the names of the columns");
    }
    if (names.size() == 1 && Stream.of(";", "\t").anyMatch(names.getFirst()::contains)) {
      throw new UserException(file + ": cells must be separated by commas");
    }
    var seen = new HashSet<String>();
    for (int c = 0; c < names.size(); c++) {
      String name = names.get(c);
      if (name.isEmpty()) {
        throw new UserException(
            "%s: column %d has no name; name it, or remove it if it only counts rows"
                .formatted(file, c + 1));
      }
      if (!seen.add(name)) {
        throw new UserException(
            "%s: two columns are named \"%s\"; rename one of them".formatted(file, name));
      }
    }
    return names;
  }

  private void add(List<String> record, long line) {
    if (record.size() != columns.size()) {
      throw new UserException(
          "%s: row %d (line %d): expected %d cells, got %d"
              .formatted(file, rows + 1, line, columns.size(), record.size()));
    }
    if (rows == values[0].length) {
      int more = Math.addExact(rows, rows);
      Arrays.setAll(values, c -> Arrays.copyOf(values[c], more));
    }
    for (int c = 0; c < values.length; c++) {
      values[c][rows] = number(record.get(c).strip(), c, line);
    }
    rows++;
  }

  private double number(String text, int column, long line) {
    double value = parse(text);
    if (Double.isFinite(value)) {
      return value;
    }
    if (Double.isInfinite(value)) {
      throw wrong(text + " is too large a number", column, line);
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (text.isEmpty() || List.of("na", "n/a", "nan", "null", ".", "?").contains(lower)) {
      String what = text.isEmpty() ? "missing" : "missing (\"" + text + "\")";
      throw wrong(what + "; fill it in, or remove the row", column, line);
    }
    throw wrong(
        "\"" + text + "\" is no number; code the column as numbers, or remove it", column, line);
  }

  private UserException wrong(String what, int column, long line) {
    return new UserException(
        "%s: row %d (line %d), column \"%s\": %s"
            .formatted(file, rows + 1, line, columns.get(column), what));
  }

  /** A decimal number, or NaN: Java would read 1f and 0x1p3, too. */
  private static double parse(String text) {
    for (int i = 0; i < text.length(); i++) {
      if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
        return Double.NaN;
      }
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }

  /** Where it came from. */
  public Path file() {
    return file;
  }

  /** The names, in their order. */
  public List<String> columns() {
    return columns;
  }

  public int rows() {
    return rows;
  }

  /** The numbers of a column; not a copy. */
  double[] values(int column) {
    return values[column];
  }

  /** All numbers, row by row. */
  public double[][] matrix() {
    double[][] matrix = new double[rows][values.length];
    for (int i = 0; i < rows; i++) {
      for (int c = 0; c < values.length; c++) {
        matrix[i][c] = values[c][i];
      }
    }
    return matrix;
  }

  /**
   * The place of a column.
   *
   * @throws UserException where no column has this name, with the nearest
   */
  int indexOf(String column) {
    int index = columns.indexOf(column);
    if (index < 0) {
      throw new UserException(
          "%s: no column is named \"%s\"%s; there are %s"
              .formatted(file, column, Nearest.hint(column, columns), String.join(", ", columns)));
    }
    return index;
  }
}
