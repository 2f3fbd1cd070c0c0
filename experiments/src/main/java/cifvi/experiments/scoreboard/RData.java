package cifvi.experiments.scoreboard;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Data of a Stan model as R writes it. */
final class RData {
  private RData() {}

  /** {@code N = 8, y = array(c(28, 8), dim = c(2))}, one a variable. */
  static List<String> variables(JsonNode data) {
    return data.properties().stream()
        .map(entry -> "`%s` = %s".formatted(entry.getKey(), value(entry.getValue())))
        .toList();
  }

  private static String value(JsonNode node) {
    if (!node.isArray()) {
      return node.asString();
    }
    var sizes = new ArrayList<Integer>();
    for (JsonNode at = node; at.isArray(); at = at.path(0)) {
      sizes.add(at.size());
    }
    var numbers = new ArrayList<String>();
    columnMajor(node, sizes, new int[sizes.size()], sizes.size() - 1, numbers);
    return "array(c(%s), dim = c(%s))"
        .formatted(
            String.join(", ", numbers),
            sizes.stream().map(String::valueOf).collect(Collectors.joining(", ")));
  }

  /** R lets the first index run fastest, so the last is the outermost loop. */
  private static void columnMajor(
      JsonNode node, List<Integer> sizes, int[] at, int axis, List<String> numbers) {
    if (axis < 0) {
      JsonNode here = node;
      for (int i : at) {
        here = here.path(i);
      }
      numbers.add(here.asString());
      return;
    }
    for (int i = 0; i < sizes.get(axis); i++) {
      at[axis] = i;
      columnMajor(node, sizes, at, axis - 1, numbers);
    }
  }
}
