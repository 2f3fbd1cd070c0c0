package cifvi.experiments.sweep;

import cifvi.experiments.files.Csv;
import cifvi.experiments.files.Texts;
import cifvi.experiments.files.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * How far a run has come, read from outside.
 *
 * @param unit {@code step} or {@code epoch}
 * @param of what it was asked for; 0 where nobody knows, and less than {@code done} where a fit
 *     takes the steps of several families
 * @param elbo the newest: of the step, or of the validation after the epoch
 */
public record CellProgress(String unit, long done, long of, double elbo) {
  private static final int TAIL_BYTES = 4096;

  /** Whether it is known when it is done. */
  public boolean limited() {
    return done <= of;
  }

  /** From the last whole lines of its logs; empty before there are any. */
  static Optional<CellProgress> read(Path run) {
    try {
      JsonNode spec = Texts.YAML.readTree(WholeFile.read(run.resolve("spec.yaml")));
      Optional<Line> step = Line.last(run.resolve("metrics.csv"));
      if (spec.path("steps").isNumber() || !spec.path("epochs").isNumber()) {
        return step.map(
            line ->
                new CellProgress(
                    "step",
                    line.count("step") + 1,
                    spec.path("steps").asLong(),
                    line.number("elbo")));
      }
      long epochs = spec.path("epochs").asLong();
      return Line.last(run.resolve("epochs.csv"))
          .map(
              line ->
                  new CellProgress("epoch", line.count("epoch"), epochs, line.number("valid_elbo")))
          .or(() -> step.map(line -> new CellProgress("epoch", 0, epochs, line.number("elbo"))));
    } catch (IOException | JacksonException | NumberFormatException _) {
      return Optional.empty(); // it has just begun to write
    }
  }

  /** A line of a CSV file by the names of its columns. */
  private record Line(List<String> header, List<String> cells) {
    static Optional<Line> last(Path file) throws IOException {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      List<String> header = Csv.cells(firstLine(file));
      List<String> tail = tail(file);
      return tail.isEmpty() || tail.getLast().startsWith(header.getFirst())
          ? Optional.empty()
          : Optional.of(new Line(header, Csv.cells(tail.getLast())));
    }

    private String cell(String name) {
      int column = header.indexOf(name);
      return column < 0 || column >= cells.size() ? "" : cells.get(column);
    }

    long count(String name) {
      return Long.parseLong(cell(name));
    }

    double number(String name) {
      return Double.parseDouble(cell(name));
    }
  }

  private static String firstLine(Path file) throws IOException {
    try (var reader = Files.newBufferedReader(file)) {
      String line = reader.readLine();
      return line == null ? "" : line;
    }
  }

  /** The last lines of a file, one still being written left out. */
  private static List<String> tail(Path file) throws IOException {
    try (var channel = FileChannel.open(file)) {
      channel.position(Math.max(0, channel.size() - TAIL_BYTES));
      var buffer = ByteBuffer.allocate(TAIL_BYTES);
      while (buffer.hasRemaining() && channel.read(buffer) > 0) {}
      String text =
          new String(Arrays.copyOf(buffer.array(), buffer.position()), StandardCharsets.UTF_8);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }
  }
}
