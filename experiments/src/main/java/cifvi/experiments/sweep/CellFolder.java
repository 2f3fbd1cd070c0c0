package cifvi.experiments.sweep;

import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.Texts;
import cifvi.experiments.run.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A cell's run directory, seen from outside; its process writes, we read. */
public record CellFolder(Path path) {
  /** Whether there is a run to go on with. */
  public boolean isStarted() {
    return Files.exists(path.resolve("spec.yaml"));
  }

  public boolean isDone() {
    return Files.exists(path.resolve("result.json"));
  }

  /** {@code result.json}; empty while there is none. */
  public Optional<JsonNode> result() {
    return isDone() ? Optional.of(read("result.json", Texts.JSON)) : Optional.empty();
  }

  /** {@code spec.yaml}; empty while there is none. */
  public Optional<JsonNode> spec() {
    return isStarted() ? Optional.of(read("spec.yaml", Texts.YAML)) : Optional.empty();
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

  /** Refuses to go on with a run that has other settings than those wanted now. */
  public void requireSame(String wantedYaml) {
    if (!isStarted()) {
      return;
    }
    JsonNode wanted = Texts.YAML.readTree(wantedYaml);
    JsonNode there = spec().orElseThrow();
    List<String> differences =
        Stream.concat(wanted.propertyNames().stream(), there.propertyNames().stream())
            .distinct()
            .filter(key -> !wanted.path(key).equals(there.path(key)))
            .map(key -> key + " is " + text(there, key) + " there, " + text(wanted, key) + " here")
            .toList();
    if (!differences.isEmpty()) {
      throw new UserException(
          path
              + " holds a run with other settings ("
              + String.join("; ", differences)
              + "): choose another --out or remove it");
    }
  }

  private static String text(JsonNode spec, String key) {
    return spec.hasNonNull(key) ? spec.path(key).asString() : "not set";
  }

  private JsonNode read(String name, ObjectMapper mapper) {
    try {
      return mapper.readTree(Files.readString(path.resolve(name)));
    } catch (IOException e) {
      throw new UserException(
          path.resolve(name) + ": cannot be read: " + RunDirectory.reason(e), e);
    } catch (JacksonException e) {
      throw new UserException(path.resolve(name) + ": " + e.getOriginalMessage(), e);
    }
  }
}
