package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.engine.internal.plan.UncoveredException;

/**
 * How {@code decoder_convolution.cu} cuts a convolution into blocks, see {@code strips.cuh}.
 *
 * @param in side of the images before it
 * @param out and behind it: larger where windows are spread, smaller with stride 2
 */
public record StripShape(int in, int out) {
  /** Of a tile, one for every lane of a warp. */
  static final int STRIPS = 32;

  /** In shared memory at once. */
  static final int STAGED_CHANNELS = 8;

  static final int WINDOW = 3;
  static final int WEIGHTS = WINDOW * WINDOW;

  private static final int LONGEST = 7;

  /**
   * What all convolutions of a kernel have.
   *
   * @param channels of the output that a thread has
   * @param warps of a block at most
   * @param resident blocks that the registers of a multiprocessor are enough for
   */
  record Kind(String kernel, int channels, int warps, int resident) {
    int threads() {
      return STRIPS * warps;
    }
  }

  static final Kind GATHERED = new Kind("convolve_planes", 4, 8, 3);
  static final Kind SPREAD = new Kind("convolve_transposed", 4, 4, 3);

  /**
   * The warps of a block.
   *
   * @param slices that share the channels of the input
   * @param groups that have different channels of the output
   */
  record Cut(int slices, int groups) {}

  /** Refuses what does not fit on the device, forward or backward. */
  public static void requireRoom(Convolution c, DeviceLimits limits) {
    if (c.taps() == WINDOW) {
      int bytes = new StripShape(c.side(), c.sideQ()).bytes(new Cut(1, 1));
      int back = new StripShape(c.sideQ(), c.side()).bytes(new Cut(1, 1));
      UncoveredException.throwIf(limits.shortage("a convolution", Math.max(bytes, back)));
    }
  }

  Kind kind() {
    return out > in ? SPREAD : GATHERED;
  }

  /** Of the grid of places. */
  private int side() {
    return Math.min(in, out);
  }

  private int length() {
    return Math.min(side(), LONGEST);
  }

  /** Rows of the grid that a tile has. */
  private int gridRows() {
    return STRIPS * length() / side();
  }

  private int plane() {
    int stride = in > out ? 2 : 1;
    int staged = stride * gridRows() + WINDOW - stride;
    int plain = side() > LONGEST ? 18 : side() > 4 ? 9 : 7;
    return (staged + 1) * (stride == 2 ? 2 * side() + 1 : plain);
  }

  /** Numbers that a warp gives. */
  private int sums() {
    int places = out > in ? 4 * length() : length();
    return kind().channels * STRIPS * (places | 1);
  }

  int tiles(int rows) {
    return Math.ceilDiv(rows * side(), gridRows());
  }

  /** What a block has of shared memory. */
  int bytes(Cut cut) {
    int weights = cut.groups * STAGED_CHANNELS * WEIGHTS * kind().channels;
    int numbers = STAGED_CHANNELS * plane() + weights + cut.slices * cut.groups * sums();
    return numbers * Float.BYTES;
  }

  /** Groups of channels that a thread has. */
  int groups(int outputs) {
    return Math.ceilDiv(outputs, kind().channels);
  }

  /**
   * As many groups a block, which read the same planes, as leave enough blocks for the device; the
   * other warps share the channels of the input.
   */
  Cut cut(int rows, int outputs, DeviceLimits limits) {
    int all = groups(outputs);
    int wanted = limits.multiprocessors() * 3 / 2;
    int groups = 1;
    while (groups < kind().warps
        && groups < all
        && tiles(rows) * Math.ceilDiv(all, 2 * groups) >= wanted) {
      groups *= 2;
    }
    var cut = new Cut(kind().warps / groups, groups);
    while (cut.slices * cut.groups > 1 && bytes(cut) > limits.sharedOf(kind().resident)) {
      cut = cut.slices > 1 ? new Cut(cut.slices / 2, groups) : new Cut(1, cut.groups / 2);
    }
    return cut;
  }
}
