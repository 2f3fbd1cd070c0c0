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
  static final int THREADS = ConvolutionShape.WARP * ConvolutionShape.WARPS;

  /** Most channels of a side. */
  static final int SIDE = 32;

  /** Threads that share the sum of a bias. */
  static final int BIAS_SLICES = THREADS / SIDE;

  /** Of a tile of channels that one product has. */
  private static final int TILE = 8;

  /** So many multiplications take as long as fetching one number. */
  private static final int FETCH = 48;

  /** What an image needs of shared memory. */
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
   * @throws UncoveredException where one image of the least tile does not fit
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

  /** Of a plane in shared memory: {@code planeOf} of the kernel. */
  private static int plane(int numbers) {
    return Math.ceilDiv(numbers, TILE) * TILE + 4;
  }

  /** Numbers of shared memory for so many images at once and {@code ns} channels of Q. */
  private static int numbers(Convolution c, int images, int ns) {
    int rows = c.taps() == 1 ? TILE : SIDE;
    int lanes = Math.ceilDiv(ns, TILE) * TILE;
    int planeP = plane(images * c.places());
    int planes = (rows + 1) * planeP + lanes * plane(images * c.framed());
    return Math.max(planes, c.taps() * c.taps() * SIDE * (lanes + TILE));
  }

  /** How many of a part's images are in shared memory at once: about the same number each time. */
  int images(int part) {
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
        parts,
        place,
        place + parts * sums(),
        c.relu() ? 1 : 0);
  }
}
