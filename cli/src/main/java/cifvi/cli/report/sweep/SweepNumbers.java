package cifvi.cli.report.sweep;

import cifvi.cli.plot.Numerals;
import cifvi.cli.report.Html;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Which numbers of {@code result.json} a sweep's page shows, and how. */
public final class SweepNumbers {
  /** What people look for first, as far as a kind of run has it. */
  public static final List<String> ESTIMATES =
      List.of("elbo", "marginal_elbo", "log_likelihood", "log_likelihood_fixed");

  private static final List<String> COUNTS = List.of("modes_covered", "epochs", "parameters");

  private SweepNumbers() {}

  /** Those of the keys that some result has. */
  public static List<String> found(List<String> keys, List<Optional<JsonNode>> results) {
    return keys.stream()
        .filter(key -> results.stream().flatMap(Optional::stream).anyMatch(r -> r.has(key)))
        .toList();
  }

  public static List<String> columns(List<Optional<JsonNode>> results) {
    return found(
        Stream.of(ESTIMATES, COUNTS, List.of("seconds")).flatMap(List::stream).toList(), results);
  }

  public static String words(String key) {
    return key.replace('_', ' ').replace("elbo", "ELBO");
  }

  /** A cell of the table, which sorts by the number itself. */
  public static String cell(JsonNode result, String key) {
    JsonNode value = result.path(key);
    return value.isNumber()
        ? Html.cell(words(key), text(result, key), value.asDouble())
        : Html.cell(words(key), "–");
  }

  private static String text(JsonNode result, String key) {
    double value = result.path(key).asDouble();
    JsonNode error = result.path(key + "_se");
    if (ESTIMATES.contains(key)) {
      return error.isNumber() ? Html.withError(value, error.asDouble()) : Numerals.estimate(value);
    }
    return Numerals.whole(Math.round(value));
  }
}
