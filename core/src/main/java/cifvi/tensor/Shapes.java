package cifvi.tensor;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.bytedeco.pytorch.Tensor;

/**
 * Checks at the border, so that a wrong shape is named in our words and not in a C++ stack trace.
 */
public final class Shapes {
  /** Stands for the batch axis, whose length is free. */
  public static final long BATCH = -1;

  private Shapes() {}

  /**
   * Requires {@code tensor} to have the given shape, {@link #BATCH} matching any length.
   *
   * @throws IllegalArgumentException for instance {@code w: expected [batch, 2], got [1000, 3]}
   */
  public static void require(String name, Tensor tensor, long... expected) {
    long[] shape = tensor.shape();
    boolean fits = shape.length == expected.length;
    for (int i = 0; fits && i < shape.length; i++) {
      fits = expected[i] == BATCH || expected[i] == shape[i];
    }
    if (!fits) {
      throw new IllegalArgumentException(
          name + ": expected " + text(expected) + ", got " + text(shape));
    }
  }

  /** Requires {@code tensor} to hold numbers of {@code like}'s type on {@code like}'s device. */
  public static void requireSameKind(String name, Tensor tensor, Tensor like) {
    if (tensor.scalar_type().value != like.scalar_type().value) {
      throw new IllegalArgumentException(
          name
              + ": expected dtype "
              + like.scalar_type().intern()
              + ", got "
              + tensor.scalar_type().intern());
    }
    if (tensor.is_cpu() != like.is_cpu()) {
      throw new IllegalArgumentException(
          name + ": expected device " + device(like) + ", got " + device(tensor));
    }
  }

  /** The shape as people write it: {@code [1000, 2]}, the free batch axis as {@code batch}. */
  public static String text(long... shape) {
    return Arrays.stream(shape)
        .mapToObj(n -> n == BATCH ? "batch" : Long.toString(n))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /**
   * The batch length that fits {@code tensor}: that of its first axis, or any where it has one row
   * for all.
   */
  public static long batchOf(Tensor tensor) {
    long rows = tensor.size(0);
    return rows == 1 ? BATCH : rows;
  }

  /** Number of elements of a tensor of this shape. */
  public static long count(long... shape) {
    return Arrays.stream(shape).reduce(1, Math::multiplyExact);
  }

  private static String device(Tensor tensor) {
    return tensor.device().str().getString();
  }
}
