package cifvi.experiments.benchmark;

import cifvi.nn.Parameters;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Floating-point operations of the matrix products and convolutions of one training step: each
 * weight takes part in a multiply and an add for every row, once forward and twice backward, at as
 * many positions as its kernel visits.
 */
final class Flops {
  private static final int PER_WEIGHT = 6;

  /**
   * Positions a convolution's kernel visits, by the end of the weight's name; for transposed ones,
   * input positions.
   */
  private static final Map<Pattern, Integer> POSITIONS = new LinkedHashMap<>();

  static {
    POSITIONS.put(Pattern.compile(".*(conv|convt)\\.weight"), 14 * 14);
    POSITIONS.put(Pattern.compile(".*block[01]\\..*weight"), 4 * 4);
    POSITIONS.put(Pattern.compile(".*block[23]\\..*weight"), 7 * 7);
    POSITIONS.put(Pattern.compile(".*block[45]\\..*weight"), 14 * 14);
    POSITIONS.put(Pattern.compile(".*decoder\\.final\\.weight"), 28 * 28);
  }

  private Flops() {}

  static double perStep(Parameters parameters, long rows) {
    double weights = 0;
    for (var entry : parameters.flat().slices().entrySet()) {
      var slice = entry.getValue();
      weights +=
          slice.shape().size() < 2
              ? 0
              : (double) slice.count() * positions(entry.getKey(), slice.shape().size());
    }
    return PER_WEIGHT * weights * rows;
  }

  private static int positions(String name, int axes) {
    if (axes < 4) {
      return 1;
    }
    return POSITIONS.entrySet().stream()
        .filter(e -> e.getKey().matcher(name).matches())
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no count of positions for " + name));
  }
}
