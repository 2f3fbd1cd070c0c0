package cifvi.experiments.files;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file with one line a record, appended: the columns are the record's components, and numbers
 * are written so that reading them back loses nothing.
 */
public final class CsvLog<R extends Record> implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;
  private final BufferedWriter out;

  private CsvLog(Path file) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    this.out = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8));
  }

  /** Cuts the file back to its first {@code rows} lines and appends from there. */
  public static <R extends Record> CsvLog<R> from(Path file, Class<R> type, long rows) {
    List<R> kept = readWhileGood(file, type);
    if (kept.size() < rows) {
      throw new UserException(
          file + ": has " + kept.size() + " lines, the checkpoint counts on " + rows);
    }
    try {
      WholeFile.write(file, text(type, kept.stream().limit(rows)));
      return new CsvLog<>(file);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /**
   * Adds one line to a file, which it makes where there is none. The file is written anew and takes
   * the old one's place when it is whole: on a full disk the old one stays, and a part of a line
   * left by anything else is cut.
   */
  public static <R extends Record> void append(Path file, Class<R> type, R row) {
    WholeFile.replace(file, text(type, Stream.concat(read(file, type).stream(), Stream.of(row))));
  }

  public void add(R row) {
    try {
      out.write(line(row));
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /** Brings everything to the disk, as must happen before a checkpoint that counts on it. */
  public void flush() {
    try {
      out.flush();
      channel.force(false);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /**
   * All rows of a file, none where there is no file; a last line still being written is left out.
   */
  public static <R extends Record> List<R> read(Path file, Class<R> type) {
    var rows = new ArrayList<R>();
    try {
      read(file, type, rows::add);
    } catch (IllegalArgumentException e) {
      throw new UserException(file + ": " + e.getMessage(), e);
    }
    return rows;
  }

  /** The rows up to the first line that does not fit: what follows never came to the disk whole. */
  public static <R extends Record> List<R> readWhileGood(Path file, Class<R> type) {
    var rows = new ArrayList<R>();
    try {
      read(file, type, rows::add);
    } catch (IllegalArgumentException _) {
      // as far as it goes
    }
    return rows;
  }

  private static <R extends Record> void read(Path file, Class<R> type, Consumer<R> each) {
    if (!Files.exists(file)) {
      return;
    }
    try {
      var columns = new ArrayList<String>();
      Csv.read(
          new String(Files.readAllBytes(file), StandardCharsets.UTF_8),
          line -> {
            if (columns.isEmpty()) {
              columns.addAll(line.cells());
              requireColumns(type, columns);
            } else {
              each.accept(parse(type, columns, line));
            }
          });
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + WholeFile.reason(e), e);
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
    return new UserException(file + ": cannot be written: " + WholeFile.reason(e), e);
  }

  /** The components in snake_case. */
  private static String header(Class<? extends Record> type) {
    return Csv.line(Arrays.stream(type.getRecordComponents()).map(CsvLog::column));
  }

  /** The name of a component in files. */
  static String column(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static String line(Record row) {
    return Csv.line(
        Arrays.stream(row.getClass().getRecordComponents())
            .map(component -> Optional.ofNullable(value(component, row)))
            .map(value -> value.orElse("")));
  }

  private static @Nullable Object value(RecordComponent component, Record row) {
    try {
      return component.getAccessor().invoke(row);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A whole file. */
  public static <R extends Record> String text(Class<R> type, Stream<R> rows) {
    return header(type) + rows.map(CsvLog::line).collect(Collectors.joining());
  }

  /** A column that came later may be missing where it may be empty. */
  private static void requireColumns(Class<?> type, List<String> columns) {
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType() != Double.class && !columns.contains(column(component))) {
        throw new IllegalArgumentException(
            "its first line, the names of the columns, lacks " + column(component));
      }
    }
  }

  private static <R extends Record> R parse(Class<R> type, List<String> columns, Csv.Line line) {
    try {
      if (line.cells().size() == columns.size()) {
        return parse(type, columns, line.cells());
      }
    } catch (NumberFormatException _) {
      // the same answer as for cells missing
    }
    throw new IllegalArgumentException(
        "line " + line.number() + " does not fit, remove it: " + line.text());
  }

  private static <R extends Record> R parse(
      Class<R> type, List<String> columns, List<String> cells) {
    RecordComponent[] components = type.getRecordComponents();
    var types = new Class<?>[components.length];
    var values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      int column = columns.indexOf(column(components[i]));
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
