package cifvi.experiments.sweep;

import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A cell's run directory, seen from outside; its process writes, we read. */
public record CellFolder(Path path) {
  /** Whether there is a run to go on with. */
  public boolean isStarted() {
    return Files.exists(path.resolve("spec.yaml"));
  }

  public boolean isDone() {
    return Files.exists(path.resolve("result.json"));
  }

  /** The words after {@code cifvi} that start a cell here, or go on with it. */
  public List<String> arguments(Cell cell) {
    return isStarted()
        ? List.of("resume", path.toString())
        : Stream.concat(cell.arguments().stream(), Stream.of("--out", path.toString())).toList();
  }

  /** {@code result.json}; empty while there is none. */
  public Optional<JsonNode> result() {
    return isDone() ? Optional.of(read(path.resolve("result.json"))) : Optional.empty();
  }

  public Optional<CellProgress> progress() {
    return CellProgress.read(path);
  }

  /** What its processes print, beside the folder. */
  public Path log() {
    return path.resolveSibling(path.getFileName() + ".log");
  }

  /** The last lines of the log. */
  public List<String> logTail(int lines) {
    try {
      List<String> all =
          new String(Files.readAllBytes(log()), StandardCharsets.UTF_8).lines().toList();
      return all.subList(Math.max(0, all.size() - lines), all.size());
    } catch (IOException _) {
      return List.of();
    }
  }

  private static JsonNode read(Path file) {
    try {
      return Texts.tree(Texts.JSON, file, WholeFile.read(file));
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + WholeFile.reason(e), e);
    }
  }
}
