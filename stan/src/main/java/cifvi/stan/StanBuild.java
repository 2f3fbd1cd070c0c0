package cifvi.stan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A model, its library beside it, and a note of what the library was made of: SHA-256 of the model
 * with all it includes, of the library, and the version of BridgeStan.
 *
 * @param model the {@code .stan} file
 */
record StanBuild(Path model) {
  private static final String SOURCE = ".stan";
  private static final Pattern INCLUDE =
      Pattern.compile("(?m)^\\s*#include\\s+[\"<]?([^\"<>\\s]+)[\">]?");

  /** As BridgeStan names it. */
  Path library() {
    return beside("_model.so");
  }

  private Path note() {
    return beside("_model.so.cifvi");
  }

  private Path beside(String ending) {
    String name = model.getFileName().toString();
    return model.resolveSibling(name.substring(0, name.length() - SOURCE.length()) + ending);
  }

  /**
   * Whether the library is of the model as it is now.
   *
   * @param version of BridgeStan; empty for any
   */
  boolean isCurrent(String version) {
    try {
      if (!Files.exists(library()) || !Files.exists(note())) {
        return false;
      }
      String[] noted = Files.readString(note()).strip().split("\n", 3);
      return noted.length == 3
          && noted[0].equals(sources())
          && noted[1].equals(Sha256.of(library()))
          && (version.isEmpty() || noted[2].equals(version));
    } catch (IOException _) {
      return false;
    }
  }

  /** Has make begin anew: files that it made of another model may be the newer ones. */
  void forget() {
    try {
      if (Files.deleteIfExists(note())) {
        Files.deleteIfExists(library());
        Files.deleteIfExists(beside(".hpp"));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(library() + " cannot be replaced: " + e, e);
    }
  }

  void remember(String version) {
    try {
      Files.writeString(note(), "%s%n%s%n%s%n".formatted(sources(), Sha256.of(library()), version));
    } catch (IOException _) {
      // it is compiled again next time
    }
  }

  private String sources() throws IOException {
    var all = new LinkedHashSet<Path>();
    try {
      collect(model, all);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    var hashes = new StringBuilder();
    for (Path file : all) {
      hashes.append(Sha256.of(file));
    }
    return Sha256.of(hashes.toString());
  }

  /** The files that a file includes, as far as they lie where it lies. */
  private static void collect(Path file, Set<Path> all) {
    if (!Files.isRegularFile(file) || !all.add(file)) {
      return;
    }
    try {
      INCLUDE
          .matcher(Files.readString(file))
          .results()
          .forEach(found -> collect(file.resolveSibling(found.group(1)).normalize(), all));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
