package cifvi.experiments.data;

import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;

/**
 * The order of an epoch: a fresh permutation, each equally likely (Fisher–Yates with exactly
 * uniform integers), a pure function of (seed, epoch).
 */
public final class Shuffle {
  private final long seed;
  private final Purpose purpose;
  private final long step;
  private final int[] words = new int[4];
  private long used;

  private Shuffle(long seed, Purpose purpose, long step) {
    this.seed = seed;
    this.purpose = purpose;
    this.step = step;
  }

  /** {@code indices} in the order of this epoch; the argument is left as it is. */
  public static int[] order(long seed, long epoch, int[] indices) {
    return permuted(seed, Purpose.SHUFFLE, epoch, indices);
  }

  /** {@code indices} in the order in which a seed divides them. */
  public static int[] split(long seed, int[] indices) {
    return permuted(seed, Purpose.SPLIT, 0, indices);
  }

  private static int[] permuted(long seed, Purpose purpose, long step, int[] values) {
    return new Shuffle(seed, purpose, step).permuted(values);
  }

  private int[] permuted(int[] values) {
    int[] permuted = values.clone();
    for (int i = permuted.length - 1; i > 0; i--) {
      int j = below(i + 1);
      int value = permuted[i];
      permuted[i] = permuted[j];
      permuted[j] = value;
    }
    return permuted;
  }

  /**
   * A uniform integer in [0, n): the high word of n times a random word, where the 2³² mod n words
   * that would favour some results are drawn again (Lemire, <i>Fast random integer generation in an
   * interval</i>, 2019).
   */
  private int below(int n) {
    int surplus = Integer.remainderUnsigned(-n, n);
    long product;
    do {
      product = Integer.toUnsignedLong(word()) * n;
    } while (Integer.compareUnsigned((int) product, surplus) < 0);
    return (int) (product >>> 32);
  }

  /** The next word of the address. */
  private int word() {
    int lane = (int) (used & 3);
    if (lane == 0) {
      CounterRng.words(seed, purpose, step, 0, used >>> 2, words);
    }
    used++;
    return words[lane];
  }
}
