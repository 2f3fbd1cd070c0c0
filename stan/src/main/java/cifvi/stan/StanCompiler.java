package cifvi.stan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles Stan models with the {@code make} of a BridgeStan folder. {@code model.stan} becomes
 * {@code model_model.so} beside it, and a note beside that says of what, so that it is compiled
 * again only where the model or BridgeStan has changed.
 */
public final class StanCompiler {
  private static final Logger log = LoggerFactory.getLogger(StanCompiler.class);
  private static final int LINES = 20;
  private static final int CHARACTERS = 2000;
  private static final Pattern NUMBER =
      Pattern.compile("define BRIDGESTAN_(?:MAJOR|MINOR|PATCH) (\\d+)");

  private final Path folder;

  /**
   * A compiler.
   *
   * @param folder BridgeStan's, with its {@code Makefile}
   */
  public StanCompiler(Path folder) {
    this.folder = folder;
    if (!Files.isRegularFile(folder.resolve("Makefile"))) {
      throw new IllegalArgumentException(
          "%s is no BridgeStan folder: there is no Makefile in it".formatted(folder));
    }
  }

  /**
   * The library of a model that has been compiled before, where there is no BridgeStan.
   *
   * @throws IllegalArgumentException where there is none, or the model has changed since
   */
  public static Path compiled(Path model) {
    var build = new StanBuild(requireModel(model));
    if (!build.isCurrent("")) {
      throw new IllegalArgumentException(
          "%s has to be compiled: name a BridgeStan folder, in $BRIDGESTAN for instance (git clone"
                  .formatted(model)
              + " --recurse-submodules https://github.com/roualdes/bridgestan), or give a library");
    }
    return build.library();
  }

  /**
   * The library of a model, compiled where it has to be.
   *
   * @throws IllegalArgumentException where it cannot be compiled, in the compiler's words
   */
  public Path compile(Path model) {
    var build = new StanBuild(requireModel(model));
    String version = version();
    if (!build.isCurrent(version)) {
      log.info("compiling {} with BridgeStan {} (some 30 s)", model, version);
      build.forget();
      make(build.library());
      build.remember(version);
    }
    return build.library();
  }

  private static Path requireModel(Path model) {
    if (!Files.isRegularFile(model) || !Files.isReadable(model)) {
      throw new IllegalArgumentException("there is no model " + model + " that can be read");
    }
    Path whole = model.toAbsolutePath().normalize();
    if (whole.toString().chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException(
          "%s: make takes no names with blanks; move the model to another folder".formatted(whole));
    }
    return whole;
  }

  /** As its source says; folders without one count as one version. */
  private String version() {
    try {
      Matcher number = NUMBER.matcher(Files.readString(folder.resolve("src/version.hpp")));
      return String.join(".", number.results().map(found -> found.group(1)).toList());
    } catch (IOException _) {
      return "of " + folder;
    }
  }

  private void make(Path library) {
    try {
      var make =
          new ProcessBuilder(
                  List.of("make", "-C", folder.toString(), "STAN_THREADS=true", library.toString()))
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(nowhere()))
              .start();
      String said = new String(make.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (make.waitFor() != 0 || !Files.exists(library)) {
        throw new IllegalArgumentException(
            "%s cannot be compiled:%n%s".formatted(library, telling(said)));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("make cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a model was compiled", e);
    }
  }

  private static java.io.File nowhere() {
    boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    return new java.io.File(windows ? "NUL" : "/dev/null");
  }

  /** From the first error on, else the end. */
  static String telling(String said) {
    List<String> lines = said.strip().lines().toList();
    int from = 0;
    while (from < lines.size() && !lines.get(from).toLowerCase(Locale.ROOT).contains("error")) {
      from++;
    }
    from = from == lines.size() ? Math.max(0, lines.size() - LINES) : from;
    int to = Math.min(lines.size(), from + LINES);
    return Words.cut(String.join("\n", lines.subList(from, to)), CHARACTERS);
  }
}
