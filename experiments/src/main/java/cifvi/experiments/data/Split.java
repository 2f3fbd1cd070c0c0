package cifvi.experiments.data;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which images are for training and which for validation, in an order decided by the seed: as in
 * the released code, every seed validates on other images.
 */
@SuppressWarnings("ArrayRecordComponent") // indices for hot loops; never compared
public record Split(int[] train, int[] validation) {
  public static Split of(long seed, int images, int validation) {
    if (validation < 0 || validation > images) {
      throw new IllegalArgumentException(
          "validation: expected 0 to %d images, got %d".formatted(images, validation));
    }
    int[] all = IntStream.range(0, images).toArray();
    int[] order = Shuffle.split(seed, all);
    return new Split(
        Arrays.copyOfRange(order, validation, images), Arrays.copyOf(order, validation));
  }
}
