package cifvi.tensor;

/**
 * The normals of a {@link CounterRng} as float32, written into a buffer by column and without
 * allocation: the very numbers that {@link CounterRng#normal} gives in float32. For one thread.
 */
public final class NoiseWriter {
  private final int[] words = new int[4];
  private final double[] lanes = new double[4];

  /** With room for the numbers of one address. */
  public NoiseWriter() {}

  /**
   * Normals {@code [rows, columns]} from row {@code firstRow} of the generator on.
   *
   * @param stream 0 for the base distribution, i + 1 for layer i
   * @param at place of the first number; column c begins at {@code at + c * stride}
   */
  public void normals(
      CounterRng rng,
      int stream,
      long firstRow,
      int rows,
      int columns,
      float[] out,
      int at,
      int stride) {
    long element = (rng.firstRow() + firstRow) * columns;
    int address = rng.purpose().code << 24 | stream;
    int lane = (int) (element & 3);
    fill(rng, element >>> 2, address);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        if (lane == 4) {
          lane = 0;
          fill(rng, element >>> 2, address);
        }
        out[at + column * stride + row] = (float) lanes[lane++];
        element++;
      }
    }
  }

  private void fill(CounterRng rng, long block, int address) {
    Philox.block(rng.seed(), (int) block, (int) (block >>> 32), (int) rng.step(), address, words);
    CounterRng.uniforms(words, lanes);
    CounterRng.boxMuller(lanes, 0);
    CounterRng.boxMuller(lanes, 2);
  }
}
