package cifvi.experiments.run;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file with one line a record, appended: the columns are the record's components, and numbers
 * are written so that reading them back loses nothing.
 */
public final class CsvLog<R extends Record> implements AutoCloseable {
  private final Path file;
  private final BufferedWriter out;

  private CsvLog(Path file, BufferedWriter out) {
    this.file = file;
    this.out = out;
  }

  /** Cuts the file back to its first {@code rows} lines and appends from there. */
  public static <R extends Record> CsvLog<R> from(Path file, Class<R> type, long rows) {
    try {
      var kept = new ArrayList<String>(List.of(header(type)));
      if (rows > 0) {
        List<String> there = Files.readAllLines(file);
        if (!there.getFirst().equals(kept.getFirst())) { // of a version with fewer columns
          there =
              Stream.concat(Stream.of(""), read(file, type).stream().map(row -> line(row).strip()))
                  .toList();
        }
        there.stream().skip(1).limit(rows).forEach(kept::add);
        if (kept.size() != rows + 1) {
          throw new UserException(
              file + ": has " + (kept.size() - 1) + " lines, the checkpoint counts on " + rows);
        }
      }
      Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
      Files.write(temporary, kept);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return new CsvLog<>(file, Files.newBufferedWriter(file, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /** Adds one line to a file, which it makes where there is none. */
  public static void append(Path file, Record row) {
    try {
      String head = Files.exists(file) ? "" : header(row.getClass()) + "\n";
      Files.writeString(
          file, head + line(row), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  public void add(R row) {
    try {
      out.write(line(row));
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /** Hands everything to the system, as must happen before a checkpoint that counts on it. */
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /**
   * All rows of a file, none where there is no file; a last line still being written is left out.
   */
  public static <R extends Record> List<R> read(Path file, Class<R> type) {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      String text = Files.readString(file);
      List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
      List<String> columns = lines.isEmpty() ? List.of() : cells(lines.getFirst());
      return lines.stream().skip(1).map(line -> parse(type, columns, cells(line))).toList();
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + RunDirectory.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw new UserException(file + ": holds a line that does not fit: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static UserException unwritable(Path file, IOException e) {
    return new UserException(file + ": cannot be written: " + RunDirectory.reason(e), e);
  }

  /** The components in snake_case. */
  private static String header(Class<? extends Record> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(CsvLog::column)
        .collect(Collectors.joining(","));
  }

  private static String column(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static List<String> cells(String line) {
    return List.of(line.split(",", -1));
  }

  private static String line(Record row) {
    return Arrays.stream(row.getClass().getRecordComponents())
        .map(component -> Objects.toString(value(component, row), ""))
        .collect(Collectors.joining(",", "", "\n"));
  }

  private static @Nullable Object value(RecordComponent component, Record row) {
    try {
      return component.getAccessor().invoke(row);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A column that came later may be missing where it may be empty. */
  private static <R extends Record> R parse(
      Class<R> type, List<String> columns, List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(String.join(",", cells));
    }
    RecordComponent[] components = type.getRecordComponents();
    var types = new Class<?>[components.length];
    var values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      int column = columns.indexOf(column(components[i]));
      if (column < 0 && types[i] != Double.class) {
        throw new IllegalArgumentException("no column " + column(components[i]));
      }
      values[i] = value(types[i], column < 0 ? "" : cells.get(column));
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Object value(Class<?> type, String cell) {
    if (type == Double.class && cell.isEmpty()) {
      return null;
    }
    return type == long.class
        ? (Object) Long.valueOf(cell)
        : type == String.class ? cell : (Object) Double.valueOf(cell);
  }
}
