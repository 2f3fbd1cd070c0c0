package cifvi.parameter;

import java.util.List;

/** How many numbers there are, and may be. */
final class Sizes {
  private Sizes() {}

  static int atLeastOne(String name, int size) {
    if (size < 1) {
      throw new IllegalArgumentException(name + ": expected a size of at least 1, got " + size);
    }
    return size;
  }

  /** The product of sizes, or a number above the largest int if it is above it. */
  static long product(List<Integer> sizes) {
    long product = 1;
    for (int size : sizes) {
      product = Math.min(product * size, 1L << 31);
    }
    return product;
  }

  /** Requires that an array can hold everything of these dimensions. */
  static void require(String declaration, List<Integer> dimensions) {
    if (product(dimensions) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s: more than %d numbers; make it smaller".formatted(declaration, Integer.MAX_VALUE));
    }
  }
}
