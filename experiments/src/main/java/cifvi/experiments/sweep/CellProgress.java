package cifvi.experiments.sweep;

import cifvi.experiments.run.Texts;
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
 * @param elbo the newest, NaN where there is none
 */
public record CellProgress(String unit, long done, long of, double elbo) {
  private static final int TAIL_BYTES = 4096;

  /** From the last whole line of {@code metrics.csv}; empty before there is one. */
  static Optional<CellProgress> read(Path run) {
    try {
      Path metrics = run.resolve("metrics.csv");
      List<String> header = List.of(firstLine(metrics).split(",", -1));
      List<String> tail = tail(metrics);
      JsonNode spec = Texts.YAML.readTree(Files.readString(run.resolve("spec.yaml")));
      if (tail.isEmpty() || tail.getLast().startsWith(header.getFirst())) {
        return Optional.empty();
      }
      return of(header, List.of(tail.getLast().split(",", -1)), spec);
    } catch (IOException | JacksonException | NumberFormatException _) {
      return Optional.empty(); // it has just begun to write
    }
  }

  /** The steps of a run that has a number of them, the epochs of one that has not. */
  private static Optional<CellProgress> of(List<String> header, List<String> line, JsonNode spec) {
    for (String unit : List.of("step", "epoch")) {
      JsonNode of = spec.path(unit + "s");
      int column = header.indexOf(unit);
      if (of.isNumber() && column >= 0 && line.size() == header.size()) {
        long last = Long.parseLong(line.get(column));
        // steps are counted from 0, epochs from 1
        long done = unit.equals("step") ? last + 1 : last;
        return Optional.of(new CellProgress(unit, done, of.asLong(), elbo(header, line)));
      }
    }
    return Optional.empty();
  }

  private static double elbo(List<String> header, List<String> line) {
    return header.stream()
        .filter(name -> name.contains("elbo"))
        .findFirst()
        .map(name -> Double.parseDouble(line.get(header.indexOf(name))))
        .orElse(Double.NaN);
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
