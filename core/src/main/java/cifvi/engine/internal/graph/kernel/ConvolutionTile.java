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
 * @param room numbers that fit into shared memory
 */
public record ConvolutionTile(
    Convolution convolution, int number, int m, int n, int ms, int ns, int room) {
  static final int THREADS = ConvolutionShape.WARP * ConvolutionShape.WARPS;

  /** Most channels of a side. */
  static final int SIDE = 32;

  /** Of a tile of channels that one product has. */
  private static final int TILE = 8;

  /**
   * From this side on the numbers of a pair are those of an image's upper and of its lower half,
   * and else of two images.
   */
  static final int HALVED_SIDE = 14;

  /**
   * So many multiplications take as long as fetching one number: with it blocks are done together.
   */
  private static final int FETCH = 256;

  /** What a pair needs of shared memory. */
  private static final int LEAST_BYTES = 64 * 1024;

  /** What a block has of it: several blocks are on a multiprocessor at once where it has room. */
  static int sharedBytes(DeviceLimits limits) {
    return Math.clamp(
        limits.sharedOf(ConvolutionShape.RESIDENT),
        Math.min(LEAST_BYTES, limits.blockShared()),
        limits.blockShared());
  }

  /**
   * Tiles of about the same size that cover the weights of a convolution.
   *
   * @throws UncoveredException where one pair of the least tile does not fit
   */
  public static List<ConvolutionTile> of(Convolution c, int number, DeviceLimits limits) {
    int ms = side(c.channelsP(), SIDE);
    int least = numbers(c, 1, TILE) * Float.BYTES;
    UncoveredException.throwIf(limits.shortage("a convolution", least));
    int room = sharedBytes(limits) / Float.BYTES;
    int most = SIDE;
    while (most > TILE && numbers(c, 1, most) > room) {
      most -= TILE;
    }
    int ns = side(c.channelsQ(), most);
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

  /** Images of a pair. */
  private static int paired(Convolution c) {
    return c.side() < HALVED_SIDE ? 2 : 1;
  }

  /** Of a plane in shared memory: {@code Room::plane} of the kernel. */
  private static int plane(int pairs) {
    return Math.ceilDiv(pairs, TILE) * TILE + 4;
  }

  /** Numbers of shared memory for so many pairs at once and {@code ns} channels of Q. */
  private static int numbers(Convolution c, int pairs, int ns) {
    int rows = c.taps() == 1 ? TILE : SIDE;
    int lanes = Math.ceilDiv(ns, TILE) * TILE;
    int height = c.side() * paired(c) / 2;
    int planeP = plane(pairs * height * c.side());
    int planeQ = plane(pairs * c.framed(height) * c.framed(c.side()));
    int planes = 2 * (rows * planeP + lanes * planeQ) + planeP + 2 * ConvolutionShape.WARPS;
    return Math.max(planes, c.taps() * c.taps() * SIDE * (lanes + TILE));
  }

  /** Pairs that so many images are. */
  int pairsOf(int images) {
    return Math.ceilDiv(images, paired(convolution));
  }

  /** How many of a part's pairs are in shared memory at once: about the same number each time. */
  int pairs(int part) {
    int most = 1;
    while (most < part && numbers(convolution, most + 1, ns) <= room) {
      most++;
    }
    return side(part, most);
  }

  /** Fours of channels of P. */
  int quads() {
    return Math.ceilDiv(ms, 4);
  }

  /** Channels of Q as products have them. */
  int lanes() {
    return Math.ceilDiv(ns, TILE) * TILE;
  }

  /** Weights of four channels of P. */
  int sumsOfQuad() {
    return lanes() * 4 * convolution.taps() * convolution.taps();
  }

  /** Numbers that a part of the images gives. */
  int sums() {
    return quads() * sumsOfQuad();
  }

  /** Biases that this tile sums, where dy is in its shared memory. */
  int biases() {
    if (convolution.transposed()) {
      return m == 0 ? ns : 0;
    }
    return n == 0 ? ms : 0;
  }

  /** How long a pair takes, in multiplications. */
  long cost() {
    int taps = convolution.taps() * convolution.taps();
    int fetched = ms * convolution.places() + ns * convolution.placesQ();
    long image = (long) ms * ns * taps * convolution.places() + (long) FETCH * fetched;
    return paired(convolution) * image;
  }

  /**
   * The tile as its kernel reads it.
   *
   * @param parts of the images
   * @param pairs at once
   * @param place of its sums among those of all tiles, biases behind those of weights
   */
  List<Integer> words(int parts, int pairs, int place) {
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
        pairs,
        parts,
        place,
        place + parts * sums(),
        c.relu() ? 1 : 0);
  }
}
