package cifvi.stan;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The libraries that this process has opened, by place and content. The system knows them by their
 * names alone: one that was rebuilt since is opened as a copy with a name of its own.
 */
final class Libraries {
  private static final Map<String, StanLibrary> OPEN = new HashMap<>();
  private static final Set<Path> NAMES = new HashSet<>();

  private Libraries() {}

  /**
   * Opens a library, or gives the one that is open.
   *
   * @throws IllegalArgumentException where it cannot be opened or is no model, with the reason
   */
  static synchronized StanLibrary open(Path library) {
    if (!Files.exists(library)) {
      throw new IllegalArgumentException("there is no library " + library);
    }
    if (!Files.isRegularFile(library) || !Files.isReadable(library)) {
      throw new IllegalArgumentException(library + " is no file that can be read");
    }
    try {
      Path real = library.toRealPath();
      String fault = new LibraryFile(real).fault();
      if (!fault.isEmpty()) {
        throw new IllegalArgumentException(library + " cannot be opened: " + fault);
      }
      String hash = Sha256.of(real);
      StanLibrary found = OPEN.get(real + " " + hash);
      if (found == null) {
        Path place = NAMES.contains(real) ? copy(real) : real;
        SymbolLookup symbols = symbols(library, place);
        NAMES.add(real);
        found = new StanLibrary(library, hash, symbols);
        OPEN.put(real + " " + hash, found);
      }
      return found;
    } catch (IOException e) {
      throw new IllegalArgumentException(library + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static Path copy(Path library) throws IOException {
    Path folder = Files.createTempDirectory("cifvi-stan"); // for this user alone
    Path copy = folder.resolve(library.getFileName());
    Files.copy(library, copy);
    copy.toFile().deleteOnExit();
    folder.toFile().deleteOnExit();
    return copy;
  }

  @SuppressWarnings("restricted") // running a model's code is what this is for
  private static SymbolLookup symbols(Path library, Path place) {
    try {
      return SymbolLookup.libraryLookup(place, Arena.global());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s cannot be opened: %s".formatted(library, reason(place)), e);
    }
  }

  /** Why the system's loader refuses a file, which only this way of opening it tells. */
  @SuppressWarnings("restricted")
  private static String reason(Path place) {
    try {
      System.load(place.toString());
      return "for no reason that the system gives";
    } catch (UnsatisfiedLinkError e) {
      String words = String.valueOf(e.getMessage()).replace(place + ": ", "");
      return Words.cut(words)
          + (words.contains(": cannot open shared object file")
              ? "; install it, or add its folder to LD_LIBRARY_PATH"
              : "");
    }
  }
}
