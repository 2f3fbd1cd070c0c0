package cifvi.engine.internal.fused.memory;

import cifvi.engine.internal.fused.math.Band;
import cifvi.nn.Linear;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The order in which the units of a layer lie on the tape: by their reach, the number of leading
 * inputs of the network they depend on. The masks of a MADE are then staircases, whose {@link
 * Band}s are half of the matrix, and units of one reach are adjacent. Units of a network without
 * masks stay as they are.
 *
 * @param units which unit lies at a place
 * @param reach of the unit at a place, never falling
 */
@SuppressWarnings("ArrayRecordComponent") // tables that are never compared
public record UnitOrder(int[] units, int[] reach) {
  /** Units in their own order: the inputs of a network, or its outputs. */
  public static UnitOrder natural(int size) {
    return new UnitOrder(
        IntStream.range(0, size).toArray(), IntStream.rangeClosed(1, size).toArray());
  }

  /** The order of what a linear map makes of units that lie in this order. */
  public UnitOrder after(Linear linear, Weights weights) {
    int outputs = Math.toIntExact(linear.weight().size(0));
    int weight = weights.offset(linear.weight());
    int[] reached = new int[outputs];
    for (int j = 0; j < outputs; j++) {
      for (int i = 0; i < units.length; i++) {
        if (weights.mask[weight + j * units.length + units[i]] != 0) {
          reached[j] = reach[i];
        }
      }
    }
    int[] sorted =
        IntStream.range(0, outputs)
            .boxed()
            .sorted(Comparator.comparingInt(j -> reached[j]))
            .mapToInt(j -> j)
            .toArray();
    return new UnitOrder(sorted, IntStream.of(sorted).map(j -> reached[j]).toArray());
  }

  /** Number of units that depend on no more than the first {@code known} inputs. */
  public int within(int known) {
    int count = 0;
    while (count < reach.length && reach[count] <= known) {
      count++;
    }
    return count;
  }

  /** Whether every unit lies where the model has it. */
  public boolean isNatural() {
    return IntStream.range(0, units.length).allMatch(i -> units[i] == i);
  }
}
