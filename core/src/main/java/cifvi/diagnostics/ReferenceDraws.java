package cifvi.diagnostics;

import java.util.List;

/**
 * Draws of p from elsewhere, of a long run of NUTS for instance.
 *
 * @param names of the numbers, as Stan writes them: {@code theta.1}
 * @param columns all draws of each of them
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
public record ReferenceDraws(List<String> names, double[][] columns) {
  private static final int LEAST = 2;

  public ReferenceDraws {
    names = List.copyOf(names);
    if (columns.length != names.size() || names.isEmpty()) {
      throw new IllegalArgumentException(
          "expected a column for every name, got %d names and %d columns"
              .formatted(names.size(), columns.length));
    }
    if (columns[0].length < LEAST) {
      throw new IllegalArgumentException(
          "expected at least %d reference draws, got %d".formatted(LEAST, columns[0].length));
    }
  }

  public int size() {
    return columns[0].length;
  }
}
