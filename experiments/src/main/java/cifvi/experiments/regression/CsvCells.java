package cifvi.experiments.regression;

import cifvi.experiments.files.UserException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The cells of a CSV file (RFC 4180), record by record: commas, quotes around cells that hold
 * commas, line ends or doubled quotes. A byte order mark and empty lines are passed over.
 */
final class CsvCells implements AutoCloseable {
  /** Above it a quote was left open, or this is no table. */
  private static final int LONGEST_CELL = 10_000;

  private static final int MOST_CELLS = 100_000;
  private static final int BUFFER = 1 << 16;
  private static final int END = -1;

  private final Path file;
  private final BufferedReader in;
  private final StringBuilder cell = new StringBuilder();
  private long line = 1;
  private long recordLine;

  CsvCells(Path file) throws IOException {
    this.file = file;
    try {
      var decoder = StandardCharsets.UTF_8.newDecoder();
      decoder.onMalformedInput(CodingErrorAction.REPLACE);
      in = new BufferedReader(new InputStreamReader(Files.newInputStream(file), decoder), BUFFER);
    } catch (NoSuchFileException e) {
      throw new UserException(file + ": there is no such file", e);
    }
    in.mark(1);
    if (in.read() != 0xFEFF) {
      in.reset();
    }
  }

  /** The line of the file on which the record read last begins, from 1 on. */
  long line() {
    return recordLine;
  }

  /** Replaces {@code cells} by those of the next record; false where there is none. */
  boolean read(List<String> cells) throws IOException {
    cells.clear();
    int c = in.read();
    while (c == '\n' || c == '\r') {
      line += c == '\n' ? 1 : 0;
      c = in.read();
    }
    recordLine = line;
    if (c == END) {
      return false;
    }
    while (true) {
      c = readCell(c);
      cells.add(cell.toString());
      if (cells.size() > MOST_CELLS) {
        throw wrong("more than " + MOST_CELLS + " cells; is it a CSV file?");
      }
      if (c != ',') {
        endLine(c);
        return true;
      }
      c = in.read();
    }
  }

  /** Reads a cell that begins with {@code c}; returns what ends it. */
  private int readCell(int first) throws IOException {
    cell.setLength(0);
    int c = first;
    if (c == '"') {
      c = readQuoted();
      if (c != ',' && c != '\n' && c != '\r' && c != END) {
        throw wrong("text after the closing quote of \"" + cell + "\"");
      }
      return c;
    }
    while (c != ',' && c != '\n' && c != '\r' && c != END) {
      append(c);
      c = in.read();
    }
    return c;
  }

  /** Reads on after an opening quote; returns what follows the closing one. */
  private int readQuoted() throws IOException {
    while (true) {
      int c = in.read();
      if (c == END) {
        throw wrong("a quote is opened and not closed");
      }
      if (c == '"') {
        c = in.read();
        if (c != '"') {
          return c;
        }
      }
      line += c == '\n' ? 1 : 0;
      append(c);
    }
  }

  private void append(int c) {
    if (cell.length() == LONGEST_CELL) {
      throw wrong(
          "a cell with more than "
              + LONGEST_CELL
              + " characters; is a quote not closed, or is it no CSV file?");
    }
    cell.append((char) c);
  }

  private void endLine(int c) throws IOException {
    if (c == '\r') {
      in.mark(1);
      if (in.read() != '\n') {
        in.reset();
      }
    }
    line += c == END ? 0 : 1;
  }

  private UserException wrong(String what) {
    return new UserException(file + ": line " + recordLine + ": " + what);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
