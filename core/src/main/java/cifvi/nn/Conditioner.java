package cifvi.nn;

import java.util.stream.IntStream;

/**
 * Which inputs a network with masks lets the outputs of feature i see: the features fall into
 * groups, and each sees the groups before its own.
 */
public enum Conditioner {
  /** Every feature is a group: all inputs before i. */
  AUTOREGRESSIVE,

  /**
   * Two groups, the first ⌊d/2⌋ features and the others: the outputs of the first see nothing, the
   * outputs of the others the first. A map made of it is inverted by one pass of the network.
   */
  COUPLING;

  /** The first feature that is not in the group of i. */
  public int end(int i, int features) {
    int half = features / 2;
    return switch (this) {
      case AUTOREGRESSIVE -> i + 1;
      case COUPLING -> i < half ? half : features;
    };
  }

  /** The group of every feature, counted from 1. */
  int[] degrees(int features) {
    int half = features / 2;
    return switch (this) {
      case AUTOREGRESSIVE -> IntStream.rangeClosed(1, features).toArray();
      case COUPLING ->
          IntStream.range(0, features).map(i -> i < half || features == 1 ? 1 : 2).toArray();
    };
  }
}
