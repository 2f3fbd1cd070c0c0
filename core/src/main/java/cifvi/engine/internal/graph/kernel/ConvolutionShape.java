package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.engine.internal.plan.UncoveredException;
import java.util.Comparator;
import java.util.List;

/**
 * How {@code decoder_convolution.cu} cuts a convolution into blocks, see {@code places.cuh}.
 *
 * @param in side of the images before it
 * @param out and behind it: larger where windows are spread, smaller with stride 2
 */
public record ConvolutionShape(int in, int out) {
  static final int WARP = 32;
  static final int WARPS = 8;

  /** Blocks that the registers of a multiprocessor are enough for. */
  static final int RESIDENT = 2;

  /** Times 16 places that a warp has. */
  static final int ROW_TILES = 2;

  static final int PLACES = 16 * ROW_TILES;

  /** Channels of the output that a warp has where windows are gathered, and where spread. */
  static final int GATHERED = 32;

  static final int SPREAD = 16;

  /** Channels of the input that one product multiplies. */
  static final int EIGHT = 8;

  /** Channels of the output whose weights lie side by side. */
  static final int PAIR = 16;

  static final int WINDOW = 3;
  static final int WEIGHTS = WINDOW * WINDOW;

  /** What begins and ends a block, in the time that a warp's products take. */
  private static final double FIXED = 0.5;

  /**
   * The warps of a block.
   *
   * @param across that have different places
   * @param groups that have different channels of the output
   * @param slices that share the channels of the input
   */
  record Cut(int across, int groups, int slices) {
    int places() {
      return PLACES * across;
    }

    int threads() {
      return WARP * across * groups * slices;
    }
  }

  /** What a block may be, those that read least first. */
  private static final List<Cut> CUTS =
      List.of(
          new Cut(4, 2, 1),
          new Cut(4, 1, 2),
          new Cut(2, 2, 2),
          new Cut(2, 1, 4),
          new Cut(1, 1, 8),
          new Cut(4, 1, 1),
          new Cut(2, 1, 2));

  /** Refuses what the device cannot run, forward or backward. */
  public static void requireRoom(Convolution c, DeviceLimits limits) {
    if (!limits.matrixUnits()) {
      throw new UncoveredException(
          "a convolution needs matrix units, which GPUs have from compute capability 8.0 on");
    }
    if (c.taps() == WINDOW) {
      for (var shape :
          List.of(
              new ConvolutionShape(c.side(), c.sideQ()),
              new ConvolutionShape(c.sideQ(), c.side()))) {
        int least = CUTS.stream().mapToInt(cut -> shape.bytes(cut, EIGHT)).min().orElseThrow();
        UncoveredException.throwIf(limits.shortage("a convolution", least));
      }
    }
  }

  private boolean spread() {
    return out > in;
  }

  /** Of the grid of places. */
  private int side() {
    return Math.min(in, out);
  }

  /** Channels of the output that a warp has. */
  private int channels() {
    return spread() ? SPREAD : GATHERED;
  }

  /** Numbers of a channel in shared memory: {@code Grid::plane}. */
  private int plane(int places) {
    int stride = in > out ? 2 : 1;
    int staged = stride * Math.ceilDiv(places + side() - 1, side()) + WINDOW - stride;
    int width = stride * side() + 3 - stride;
    return ((staged + 1) * width + 23) / 32 * 32 + 8;
  }

  /** What a block has of shared memory with so many channels at once. */
  int bytes(Cut cut, int staged) {
    int pitch = (spread() ? 4 * (cut.places() + PAIR) : cut.places()) + 4;
    int sums = cut.slices * cut.groups * channels() * pitch;
    return Math.max(staged * plane(cut.places()), sums) * Float.BYTES;
  }

  /** Channels of one input that are in shared memory at once. */
  int staged(Cut cut, int channels, DeviceLimits limits) {
    int eights = Math.ceilDiv(channels, EIGHT);
    int times = 1;
    int most = limits.sharedOf(RESIDENT);
    while (times < eights && bytes(cut, Math.ceilDiv(eights, times) * EIGHT) > most) {
      times++;
    }
    return Math.ceilDiv(eights, times) * EIGHT;
  }

  int blocks(Cut cut, int rows, int outputs) {
    int tiles = Math.ceilDiv(rows * side() * side(), cut.places());
    return tiles * Math.ceilDiv(Math.ceilDiv(outputs, channels()), cut.groups);
  }

  /**
   * The cut with which the multiprocessor that has most to do has least, in products of one warp.
   *
   * @param channels of one input
   */
  Cut cut(int rows, int outputs, int channels, DeviceLimits limits) {
    int eights = Math.ceilDiv(channels, EIGHT);
    return CUTS.stream()
        .filter(cut -> cut.slices <= eights)
        .filter(cut -> cut.groups <= Math.ceilDiv(outputs, channels()))
        .filter(cut -> bytes(cut, EIGHT) <= limits.blockShared())
        .min(Comparator.comparingDouble(cut -> work(cut, rows, outputs, limits)))
        .orElseThrow();
  }

  private double work(Cut cut, int rows, int outputs, DeviceLimits limits) {
    int turns = Math.ceilDiv(blocks(cut, rows, outputs), limits.multiprocessors());
    return turns * (cut.across * cut.groups + FIXED);
  }
}
