package cifvi.experiments.run;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code metrics.csv}: one line a step, appended; numbers are written so that reading them back
 * loses nothing.
 */
public final class Metrics implements AutoCloseable {
  private static final String HEADER = "step,elbo,grad_norm,learning_rate,ms";

  private final Path file;
  private final BufferedWriter out;

  /** One training step. */
  public record Row(long step, double elbo, double gradNorm, double learningRate, double ms) {
    private static Row parse(String line) {
      String[] cells = line.split(",", -1);
      return new Row(
          Long.parseLong(cells[0]),
          Double.parseDouble(cells[1]),
          Double.parseDouble(cells[2]),
          Double.parseDouble(cells[3]),
          Double.parseDouble(cells[4]));
    }
  }

  private Metrics(Path file, BufferedWriter out) {
    this.file = file;
    this.out = out;
  }

  /** Cuts the file back to the first {@code steps} steps and appends from there. */
  public static Metrics from(Path file, long steps) {
    try {
      var kept = new ArrayList<String>(List.of(HEADER));
      if (steps > 0) {
        List<String> lines = Files.readAllLines(file);
        lines.stream().skip(1).limit(steps).forEach(kept::add);
        if (kept.size() != steps + 1) {
          throw new UserException(
              file + ": has " + (kept.size() - 1) + " steps, the checkpoint " + steps);
        }
      }
      Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
      Files.write(temporary, kept);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return new Metrics(file, Files.newBufferedWriter(file, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + RunDirectory.reason(e), e);
    }
  }

  public void add(Row row) {
    try {
      out.write(
          row.step() + "," + row.elbo() + "," + row.gradNorm() + "," + row.learningRate() + ",");
      out.write(Math.round(row.ms() * 1000) / 1000.0 + "\n");
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + RunDirectory.reason(e), e);
    }
  }

  /** Hands everything to the system, as must happen before a checkpoint that counts on it. */
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + RunDirectory.reason(e), e);
    }
  }

  /** All rows of a file; a last line still being written is left out. */
  public static List<Row> read(Path file) {
    try {
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().skip(1).map(Row::parse).toList();
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + RunDirectory.reason(e), e);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new UserException(file + ": holds a line that is not a step: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + RunDirectory.reason(e), e);
    }
  }
}
