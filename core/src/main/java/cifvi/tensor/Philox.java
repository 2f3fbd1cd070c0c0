package cifvi.tensor;

/**
 * The Philox4x32-10 counter-based generator (Salmon et al., <i>Parallel random numbers: as easy as
 * 1, 2, 3</i>, 2011): a keyed bijection of 128-bit counters whose outputs pass every test of
 * randomness. Nothing is remembered between calls, so any draw can be made anywhere, in any order.
 */
final class Philox {
  private static final int MULTIPLIER_0 = 0xD2511F53;
  private static final int MULTIPLIER_1 = 0xCD9E8D57;
  private static final int WEYL_0 = 0x9E3779B9;
  private static final int WEYL_1 = 0xBB67AE85;
  private static final int ROUNDS = 10;

  private Philox() {}

  /** Writes the four words of the block with counter (c0, c1, c2, c3) under {@code key}. */
  static void block(long key, int c0, int c1, int c2, int c3, int[] out) {
    int k0 = (int) key;
    int k1 = (int) (key >>> 32);
    for (int round = 0; round < ROUNDS; round++) {
      long p0 = Integer.toUnsignedLong(MULTIPLIER_0) * Integer.toUnsignedLong(c0);
      long p1 = Integer.toUnsignedLong(MULTIPLIER_1) * Integer.toUnsignedLong(c2);
      int n0 = (int) (p1 >>> 32) ^ c1 ^ k0;
      int n2 = (int) (p0 >>> 32) ^ c3 ^ k1;
      c1 = (int) p1;
      c3 = (int) p0;
      c0 = n0;
      c2 = n2;
      k0 += WEYL_0;
      k1 += WEYL_1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
  }
}
