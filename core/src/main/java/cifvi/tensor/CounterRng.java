package cifvi.tensor;

import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/**
 * Counter-based noise: the draw for (seed, purpose, step, layer, global row) is a pure function of
 * those.
 *
 * <p>Hence chunk size and threads cannot change a draw, evaluating more often cannot change
 * training, and a run resumes bit for bit without any generator state. Element e = row·columns +
 * column of a stream is lane e mod 4 of {@link Philox} block e div 4; normals come from Box–Muller
 * in double precision.
 */
public record CounterRng(
    Backend backend, long seed, Purpose purpose, long step, int stream, long firstRow)
    implements Rng {

  /**
   * What the noise is for; each purpose has streams of its own. The codes are part of every result:
   * never reuse one.
   */
  public enum Purpose {
    INITIALISE(0),
    PERMUTE(1),
    TRAIN(2),
    SPLIT(3),
    SHUFFLE(4),
    BINARISE(5),
    VALIDATE(6),
    EVALUATE(7),
    MARGINAL(8),
    LIKELIHOOD(9),
    SAMPLE(10),
    FIGURE(11),
    DATA(12),
    MEASURE(13);

    final int code;

    Purpose(int code) {
      this.code = code;
    }

    /** What stands for the purpose in an address. */
    public int code() {
      return code;
    }
  }

  private static final double TO_UNIT = 0x1p-32;

  /** The largest float below 1, so that a uniform stays below 1 in float32 too. */
  private static final double BELOW_ONE = 0x1.fffffep-1;

  private static final int MAX_STREAM = 1 << 24;

  public CounterRng {
    requireAddress(step, stream);
    if (firstRow < 0) {
      throw new IllegalArgumentException("row: expected a number from 0 on, got " + firstRow);
    }
  }

  public CounterRng(Backend backend, long seed, Purpose purpose) {
    this(backend, seed, purpose, 0, 0, 0);
  }

  public CounterRng step(long step) {
    return new CounterRng(backend, seed, purpose, step, stream, firstRow);
  }

  @Override
  public CounterRng layer(int index) {
    if (index < 0) {
      throw new IllegalArgumentException("layer: expected 0 to 2^24-2, got " + index);
    }
    return new CounterRng(backend, seed, purpose, step, index + 1, firstRow);
  }

  @Override
  public CounterRng fromRow(long row) {
    return new CounterRng(backend, seed, purpose, step, stream, row);
  }

  @Override
  public Tensor normal(long rows, long columns) {
    return backend.tensor(normals(rows, columns), rows, columns);
  }

  @Override
  public Tensor uniform(long rows, long columns) {
    return backend.tensor(uniforms(rows, columns), rows, columns);
  }

  /** Standard normals as Java numbers, row-major. */
  public double[] normals(long rows, long columns) {
    return draw(rows, columns, CounterRng::normals);
  }

  /** Uniforms on (0, 1) as Java numbers, row-major. */
  public double[] uniforms(long rows, long columns) {
    return draw(
        rows,
        columns,
        (words, lanes) -> {
          uniforms(words, lanes);
          Arrays.setAll(lanes, i -> Math.min(lanes[i], BELOW_ONE));
        });
  }

  private interface Transform {
    void apply(int[] words, double[] lanes);
  }

  private double[] draw(long rows, long columns, Transform transform) {
    requireCount("rows", rows);
    requireCount("columns", columns);
    double[] values = new double[Math.toIntExact(Math.multiplyExact(rows, columns))];
    long first = Math.multiplyExact(firstRow, columns);
    int[] words = new int[4];
    double[] lanes = new double[4];
    for (int i = 0; i < values.length; ) {
      long element = first + i;
      long block = element >>> 2;
      words(seed, purpose, step, stream, block, words);
      transform.apply(words, lanes);
      for (int lane = (int) (element & 3); lane < 4 && i < values.length; lane++) {
        values[i++] = lanes[lane];
      }
    }
    return values;
  }

  /**
   * The four words of one block of an address, from which its draws are made: for who needs other
   * draws than normals and uniforms, or no libtorch.
   */
  public static void words(
      long seed, Purpose purpose, long step, int stream, long block, int[] out) {
    requireAddress(step, stream);
    int address = purpose.code << 24 | stream;
    Philox.block(seed, (int) block, (int) (block >>> 32), (int) step, address, out);
  }

  private static void requireAddress(long step, int stream) {
    if (step < 0 || step > 0xFFFF_FFFFL) {
      throw new IllegalArgumentException("step: expected 0 to 2^32-1, got " + step);
    }
    if (stream < 0 || stream >= MAX_STREAM) {
      throw new IllegalArgumentException("layer: expected 0 to 2^24-2, got " + (stream - 1));
    }
  }

  private static void requireCount(String name, long count) {
    if (count < 0) {
      throw new IllegalArgumentException(name + ": expected a number from 0 on, got " + count);
    }
  }

  static void uniforms(int[] words, double[] lanes) {
    for (int i = 0; i < 4; i++) {
      lanes[i] = (Integer.toUnsignedLong(words[i]) + 0.5) * TO_UNIT;
    }
  }

  private static void normals(int[] words, double[] lanes) {
    uniforms(words, lanes);
    boxMuller(lanes, 0);
    boxMuller(lanes, 2);
  }

  /** Two normals from two uniforms, in place. */
  static void boxMuller(double[] lanes, int i) {
    double radius = Math.sqrt(-2 * Math.log(lanes[i]));
    double angle = 2 * Math.PI * lanes[i + 1];
    lanes[i] = radius * Math.cos(angle);
    lanes[i + 1] = radius * Math.sin(angle);
  }
}
