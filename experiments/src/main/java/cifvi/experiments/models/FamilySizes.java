package cifvi.experiments.models;

import cifvi.experiments.files.UserException;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Sizes of a {@link MogFamily} that somebody chose, such as {@code hidden=64,layers=2}; the others
 * are its own.
 *
 * @param chosen by name, of {@link #NAMES}
 */
public record FamilySizes(Map<String, Integer> chosen) {
  /**
   * Width of networks, dimension of u, levels or Hamiltonian layers, K of a semi-implicit layer,
   * leaps of a Hamiltonian one.
   */
  public static final List<String> NAMES = List.of("hidden", "index", "layers", "extra", "leaps");

  /** Nothing chosen. */
  public static final FamilySizes NONE = new FamilySizes(Map.of());

  private static final int MOST = 100_000;

  public FamilySizes {
    chosen = Map.copyOf(chosen);
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static FamilySizes read(Object text) {
    return parse(text.toString());
  }

  /** Reads {@code name=number,…}. */
  public static FamilySizes parse(String text) {
    var chosen = new TreeMap<String, Integer>();
    for (String word : text.split(",", -1)) {
      int equals = word.indexOf('=');
      String name = word.substring(0, Math.max(0, equals)).strip();
      try {
        int value = Integer.parseInt(word.substring(equals + 1).strip());
        if (NAMES.contains(name) && value >= 1 && value <= MOST) {
          chosen.put(name, value);
          continue;
        }
      } catch (NumberFormatException _) {
        // the same answer as for a number that does not fit
      }
      throw new UserException(
          "--sizes: expected NAME=NUMBER,… of "
              + String.join(", ", NAMES)
              + " from 1 to "
              + MOST
              + ", got "
              + text);
    }
    return new FamilySizes(chosen);
  }

  int of(String name, int otherwise) {
    return chosen.getOrDefault(name, otherwise);
  }

  /** As it is parsed. */
  @JsonValue
  @Override
  public String toString() {
    return new TreeMap<>(chosen)
        .entrySet().stream()
            .map(size -> size.getKey() + "=" + size.getValue())
            .collect(Collectors.joining(","));
  }
}
