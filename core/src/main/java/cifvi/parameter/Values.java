package cifvi.parameter;

import java.util.HashMap;
import java.util.Map;

/**
 * An array of constrained numbers by the names of its parameters. Nothing is copied: what is
 * written to the array is seen here, and the other way round. All views are made at once, so that a
 * density that keeps one of these for its array makes no object when it is called.
 */
public final class Values {
  private final Map<String, Value> values;

  Values(Map<String, Block> blocks, double[] numbers) {
    values = HashMap.newHashMap(blocks.size());
    blocks.forEach(
        (name, block) ->
            values.put(name, Value.of(numbers, block.at(), block.parameter().dimensions())));
  }

  /** The view of this parameter, always the same. */
  public Value of(String name) {
    Value value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "no parameter is named \"%s\"; there are %s"
              .formatted(name, String.join(", ", values.keySet().stream().sorted().toList())));
    }
    return value;
  }

  /** The number of a scalar parameter. */
  public double scalar(String name) {
    return of(name).get();
  }
}
