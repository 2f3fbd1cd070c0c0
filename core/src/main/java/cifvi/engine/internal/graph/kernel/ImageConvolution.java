package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Images;
import cifvi.nn.LargeDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A convolution as {@code image_convolution.cuh} takes an image through it, a block an image; see
 * {@code ImageGrid} and {@code ImageCut}.
 *
 * @param in side of the images before it
 * @param out and behind it
 * @param channels of each input: there are two on the way to a larger size
 * @param outputs channels of each output: there are two on the way back
 */
record ImageConvolution(int in, int out, int channels, int outputs) {
  static final int WARPS = 16;

  /** The most that the linear start may give: numbers of an image are held in registers. */
  static final int CHANNELS = 128;

  /** Channels of the input that one product multiplies. */
  static final int DEPTH = 16;

  /** Numbers that a thread can keep for a later convolution. */
  static final int KEPT = 16;

  private static final int WORDS_OF_EIGHT = 8; // high and low halves of eight channels of a place

  /**
   * What a block has of shared memory.
   *
   * @param planes bytes before the sums of warps: largest numbers of warps, biases, what threads
   *     keep, planes
   * @param all bytes
   */
  record Shared(int planes, int all) {
    /**
     * For both directions through the large decoder.
     *
     * @param channels of the linear start
     */
    static Shared of(int channels) {
      List<ImageConvolution> all = decoder(channels);
      int first = WARPS + CHANNELS + KEPT * WARPS * ConvolutionShape.WARP;
      int planes = (first + most(all, ImageConvolution::planeWords)) * Float.BYTES;
      return new Shared(planes, planes + most(all, ImageConvolution::sums) * Float.BYTES);
    }

    private static int most(List<ImageConvolution> all, ToIntFunction<ImageConvolution> of) {
      return all.stream().mapToInt(of).max().orElseThrow();
    }
  }

  /** Those of the large decoder, 4 → 7 → 14 → 28, and of the way back, each once. */
  private static List<ImageConvolution> decoder(int channels) {
    var all = new ArrayList<ImageConvolution>();
    int side = LargeDecoder.START;
    for (int c = channels; side < Images.SIDE; c /= 2) {
      int next = side == LargeDecoder.START ? ImageVectorNet.SMALL : 2 * side;
      all.add(new ImageConvolution(side, side, c, c));
      all.add(new ImageConvolution(side, next, c, c / 2));
      all.add(new ImageConvolution(next, side, c / 2, c));
      side = next;
    }
    return all;
  }

  /** Numbers that keep which of those that convolutions see are positive, 16 bits a thread. */
  static long seen(int rows) {
    long threads = (long) DecoderPass.CONVOLUTIONS * rows * WARPS * ConvolutionShape.WARP;
    return threads * Short.BYTES / Float.BYTES;
  }

  /** Whether a block has room for an image whose channels come in eights at every size. */
  static boolean fits(int channels, DeviceLimits limits) {
    return channels <= CHANNELS
        && channels % 64 == 0
        && Shared.of(channels).all <= limits.blockShared();
  }

  private int side() {
    return Math.min(in, out);
  }

  private int depths() {
    return (in < out ? 2 : 1) * Math.ceilDiv(channels, DEPTH);
  }

  /** {@code ImageGrid::PLANE} for every eight channels. */
  int planeWords() {
    int stride = in > out ? 2 : 1;
    int width = stride * side() + 3 - stride;
    int line = Math.ceilDiv(stride * width - side(), 8) * 8 + side();
    return 2 * depths() * Math.ceilDiv(width, stride) * line * WORDS_OF_EIGHT;
  }

  /** What warps have summed, {@code ImageGrid::PITCH} for every channel of theirs. */
  int sums() {
    int places = side() * side();
    int pitch = ((in < out ? 4 : 1) * places + 11) / 16 * 16 + 4;
    int ofWarp = in < out ? ConvolutionShape.SPREAD : ConvolutionShape.GATHERED;
    int across = Math.ceilDiv(places, places > 16 ? 32 : 16);
    int groups = Math.ceilDiv((in > out ? 2 : 1) * outputs, ofWarp);
    int slices = Math.min(WARPS / across / groups, depths());
    return slices * groups * ofWarp * pitch;
  }
}
