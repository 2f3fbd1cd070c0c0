package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.engine.internal.plan.UncoveredException;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a convolution's weights that one block of {@code convolution_weights.cu} sums.
 *
 * @param number which convolution
 * @param m the first channel of P
 * @param n the first channel of Q
 * @param ms how many
 * @param ns how many
 * @param room numbers of images that fit into shared memory
 */
public record ConvolutionTile(
    Convolution convolution, int number, int m, int n, int ms, int ns, int room) {
  static final int THREADS = 256;

  /** Threads that share the sum of a bias. */
  static final int BIAS_SLICES = 16;

  /** Most channels of a side: each thread takes two times two. */
  static final int SIDE = 32;

  /** Three such blocks are on a multiprocessor of an H200 at once. */
  private static final int SHARED_BYTES = 72 * 1024;

  /** So many multiplications take as long as fetching one number. */
  private static final int FETCH = 24;

  /** What a block has of shared memory. */
  static int sharedBytes(DeviceLimits limits) {
    return Math.min(SHARED_BYTES, limits.blockShared());
  }

  /**
   * Tiles of about the same size that cover the weights of a convolution.
   *
   * @throws UncoveredException where one image of the least tile does not fit
   */
  public static List<ConvolutionTile> of(Convolution c, int number, DeviceLimits limits) {
    int ms = side(c.channelsP(), SIDE);
    int biases = SIDE * BIAS_SLICES;
    int ofP = Math.ceilDiv(ms, 4) * 4 * odd(c.places());
    int bytes = (biases + ofP + 2 * odd(c.framed())) * Float.BYTES;
    UncoveredException.throwIf(limits.shortage("a convolution", bytes));
    int room = sharedBytes(limits) / Float.BYTES - biases;
    int ns = side(c.channelsQ(), Math.min(SIDE, (room - ofP) / odd(c.framed()) / 2 * 2));
    var tiles = new ArrayList<ConvolutionTile>();
    for (int m = 0; m < c.channelsP(); m += ms) {
      for (int n = 0; n < c.channelsQ(); n += ns) {
        int restP = Math.min(ms, c.channelsP() - m);
        int restQ = Math.min(ns, c.channelsQ() - n);
        tiles.add(new ConvolutionTile(c, number, m, n, restP, restQ, room));
      }
    }
    return tiles;
  }

  /** The side of tiles that share {@code length} evenly, at most {@code most} each. */
  private static int side(int length, int most) {
    return Math.ceilDiv(length, Math.ceilDiv(length, most));
  }

  /** Where neighbouring planes begin in different banks. */
  private static int odd(int places) {
    return places | 1;
  }

  /** Numbers of shared memory for so many images at once. */
  private int numbers(int images) {
    return quads() * 4 * odd(images * convolution.places())
        + lanes() * odd(images * convolution.framed());
  }

  /** How many of a part's images are in shared memory at once: about the same number each time. */
  int images(int part) {
    int most = 1;
    while (most < part && numbers(most + 1) <= room) {
      most++;
    }
    return side(part, most);
  }

  /** Two pairs of channels of P. */
  int quads() {
    return Math.ceilDiv(ms, 4);
  }

  /** Pairs of channels of Q, once for either pair of P. */
  int lanes() {
    return Math.ceilDiv(ns, 2) * 2;
  }

  /** Threads that share the rows of one sum. */
  int shares() {
    return Math.max(1, THREADS / (quads() * lanes()));
  }

  /** Weights of two pairs of channels of P. */
  int sumsOfQuad() {
    return lanes() * 4 * convolution.taps() * convolution.taps();
  }

  /** Numbers that a part of the images gives. */
  int sums() {
    return shares() * quads() * sumsOfQuad();
  }

  /** Biases that this tile sums, where dy is in its shared memory. */
  int biases() {
    if (convolution.transposed()) {
      return m == 0 ? ns : 0;
    }
    return n == 0 ? ms : 0;
  }

  /** How long an image takes, in multiplications. */
  long cost() {
    int taps = convolution.taps() * convolution.taps();
    int fetched = ms * convolution.places() + ns * convolution.placesQ();
    return (long) ms * ns * taps * convolution.places() + (long) FETCH * fetched;
  }

  /**
   * The tile as its kernel reads it.
   *
   * @param parts of the images
   * @param images at once
   * @param place of its sums among those of all tiles, biases behind those of weights
   */
  List<Integer> words(int parts, int images, int place) {
    Convolution c = convolution;
    int bias = biases() == 0 ? -1 : c.bias() + (c.transposed() ? n : m);
    return List.of(
        number,
        c.side(),
        c.sideQ(),
        c.taps(),
        m,
        n,
        ms,
        ns,
        c.channelsP(),
        c.channelsQ(),
        c.weight(),
        bias,
        c.transposed() ? 0 : 1,
        images,
        shares(),
        parts,
        place,
        place + parts * sums(),
        c.relu() ? 1 : 0);
  }
}
