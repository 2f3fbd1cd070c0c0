package cifvi.experiments.run;

import cifvi.experiments.files.FolderLock;
import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.machine.Provenance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The folder of one run: {@code spec.yaml}, {@code provenance.json}, {@code metrics.csv}, {@code
 * result.json}, {@code evaluations.csv}, {@code checkpoints/}, {@code figures/}, and a {@code lock}
 * that keeps a second process out.
 */
public final class RunDirectory implements AutoCloseable {
  public static final String RESULT = "result.json";

  /** Where an evaluation in parts is kept until it is whole. */
  public static final String PARTS = "parts";

  static final String CHECKPOINTS = "checkpoints";
  private static final String PROVENANCE = "provenance.json";

  private static final Set<String> BEFORE_SPEC = Set.of("", "checkpoints", "spec.yaml.tmp");

  private final Path path;
  private final @Nullable FolderLock lock;

  private RunDirectory(Path path, @Nullable FolderLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Makes and locks a new folder; one that already holds something is refused. */
  private static RunDirectory create(Path path) {
    try {
      if (Files.exists(path) && !Files.isDirectory(path)) {
        throw new UserException("--out " + path + ": is a file, not a folder");
      }
      if (Files.isDirectory(path) && isUsed(path)) {
        throw new UserException(
            path
                + " is not empty: choose another --out, remove it, or go on with: cifvi resume "
                + path);
      }
      Files.createDirectories(path);
      return lock(path);
    } catch (IOException e) {
      throw new UserException("--out " + path + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }

  /** Makes and locks the folder of a new run, with what it will do and what it is made with. */
  public static RunDirectory create(Path path, RunSpec spec) {
    RunDirectory directory = create(path);
    directory.createFolder(CHECKPOINTS);
    directory.write(RunSpec.FILE, spec.yaml());
    directory.requireProvenance(spec);
    return directory;
  }

  /** Makes a folder in it, unless there is one. */
  public void createFolder(String name) {
    try {
      Files.createDirectories(file(name));
    } catch (IOException e) {
      throw new UserException(path + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }

  /**
   * Says what the run is made with, where that is not said yet. What was said of another device is
   * kept in {@code earlier/}.
   */
  void requireProvenance(RunSpec spec) {
    if (has(PROVENANCE) && !madeOn(spec.device())) {
      Earlier.setAside(this, List.of(PROVENANCE));
    }
    if (!has(PROVENANCE)) {
      write(
          PROVENANCE,
          Provenance.of(spec.engine(), spec.device(), spec.threads(), spec.seed()).json());
    }
  }

  private boolean madeOn(String device) {
    try {
      return Texts.tree(Texts.JSON, file(PROVENANCE), read(PROVENANCE))
          .path("device")
          .asString("none")
          .equals(device);
    } catch (UserException _) {
      return false; // damaged: nothing but this file depends on it
    }
  }

  /** Whether the run has taken steps, whatever is left of them. */
  boolean isBegun() {
    return has("metrics.csv") || has(RESULT);
  }

  /** Moves what was found out about the model as it was to {@code earlier/}. */
  public void setAsideEvaluations() {
    Earlier.setAside(this, Earlier.EVALUATIONS);
  }

  /** Likewise the result alone, as the run goes on while its best epoch stays. */
  public void setAsideResult() {
    Earlier.setAside(this, List.of(RESULT));
  }

  /**
   * Whether the folder holds a run with this very spec, where the engine may still be {@code auto};
   * refuses one with another.
   */
  public static boolean holds(Path path, RunSpec spec) {
    if (!Files.exists(path.resolve(RunSpec.FILE))) {
      return false;
    }
    JsonNode there = RunSpec.tree(path.resolve(RunSpec.FILE), read(path).read(RunSpec.FILE));
    String differences = differences(there, RunSpec.tree(RunSpec.FILE, spec.yaml()));
    if (!differences.isEmpty()) {
      throw new UserException(
          "%s holds a run with other settings (%s): choose another --out or remove it"
              .formatted(path, differences));
    }
    return true;
  }

  private static String differences(JsonNode a, JsonNode b) {
    return Stream.concat(a.propertyNames().stream(), b.propertyNames().stream())
        .distinct()
        .filter(key -> !a.path(key).equals(b.path(key)))
        .filter(key -> !(key.equals("engine") && b.path(key).asString().equals("auto")))
        .map(key -> "%s is %s there, %s here".formatted(key, text(a, key), text(b, key)))
        .collect(Collectors.joining("; "));
  }

  private static String text(JsonNode spec, String key) {
    return spec.hasNonNull(key) ? spec.path(key).asString("something else") : "not set";
  }

  /** What was run: {@code mog}, {@code images}. */
  public String kind() {
    return Texts.tree(Texts.YAML, file(RunSpec.FILE), read(RunSpec.FILE))
        .path("kind")
        .asString("none");
  }

  /** The keys and values of {@code result.json}. */
  public ObjectNode result() {
    return Texts.tree(Texts.JSON, file(RESULT), read(RESULT));
  }

  public void writeResult(ObjectNode result) {
    write(RESULT, Texts.JSON.writeValueAsString(result) + "\n");
  }

  /** For whoever has no use for this kind of run, but for these. */
  public UserException unknownKind(Collection<String> known) {
    return new UserException(
        "%s: kind: expected %s, got %s"
            .formatted(file(RunSpec.FILE), String.join(" or ", known), kind()));
  }

  /** Locks the folder of an earlier run. */
  public static RunDirectory open(Path path) {
    requireRun(path);
    try {
      return lock(path);
    } catch (IOException e) {
      throw new UserException(path + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }

  /** An earlier run, to look at only. */
  public static RunDirectory read(Path path) {
    requireRun(path);
    return new RunDirectory(path, null);
  }

  private static void requireRun(Path path) {
    try {
      if (Files.readAttributes(path.resolve(RunSpec.FILE), BasicFileAttributes.class)
          .isRegularFile()) {
        return;
      }
    } catch (AccessDeniedException e) {
      throw new UserException(path + ": cannot be read: " + WholeFile.reason(e), e);
    } catch (IOException _) {
      // there is no such file
    }
    throw new UserException(path + " is not a run directory: it has no spec.yaml");
  }

  /** A process killed before it wrote its spec leaves nothing that counts. */
  private static boolean isUsed(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path, 2)) {
      return files
          .map(file -> path.relativize(file).toString())
          .anyMatch(file -> !BEFORE_SPEC.contains(file) && !FolderLock.isPart(file));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static RunDirectory lock(Path path) throws IOException {
    return new RunDirectory(path, FolderLock.take(path));
  }

  public Path path() {
    return path;
  }

  public Path file(String name) {
    return path.resolve(name);
  }

  /** Refuses to write where another machine has taken the folder over. */
  void requireHeld() {
    if (lock != null) {
      lock.requireHeld();
    }
  }

  /** Writes a small text file so that a reader sees the old or the new one, never a part. */
  public void write(String name, String text) {
    requireHeld();
    WholeFile.replace(path.resolve(name), text);
  }

  public String read(String name) {
    try {
      return WholeFile.read(path.resolve(name));
    } catch (IOException e) {
      throw new UserException(path.resolve(name) + ": cannot be read: " + WholeFile.reason(e), e);
    }
  }

  public boolean has(String name) {
    return Files.exists(path.resolve(name));
  }

  @Override
  public void close() {
    if (lock != null) {
      lock.close();
    }
  }
}
