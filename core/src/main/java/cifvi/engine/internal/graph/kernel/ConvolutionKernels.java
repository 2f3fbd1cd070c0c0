package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.nn.FlatParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/** The gradients of all convolutions of a decoder at once, by {@code convolution_weights.cu}. */
public final class ConvolutionKernels {
  /** How many there are. */
  static final int CONVOLUTIONS = 16;

  private final Launcher launcher;
  private final FlatParameters flat;
  private final List<Convolution> convolutions;
  private final int rows;
  private final Tensor tiles;
  private final Tensor blocks;
  private final int blockCount;
  private final int sharedBytes;
  private final Tensor additions;
  private final int additionCount;
  private final int additionBytes;
  private final Tensor partial;

  public ConvolutionKernels(
      Launcher launcher,
      FlatParameters flat,
      List<Convolution> convolutions,
      int rows,
      DeviceMemory memory) {
    if (convolutions.size() != CONVOLUTIONS) {
      throw new IllegalArgumentException(
          "convolutions: expected " + CONVOLUTIONS + ", got " + convolutions.size());
    }
    this.launcher = launcher;
    this.flat = flat;
    this.convolutions = convolutions;
    this.rows = rows;
    DeviceLimits limits = launcher.limits();
    sharedBytes = ConvolutionTile.sharedBytes(limits);
    List<ConvolutionTile> all = new ArrayList<>();
    for (int i = 0; i < CONVOLUTIONS; i++) {
      all.addAll(ConvolutionTile.of(convolutions.get(i), i, limits));
    }
    int[] counts = parts(all, rows, ConvolutionShape.RESIDENT * limits.multiprocessors());
    List<Integer> words = new ArrayList<>();
    List<Integer> parts = new ArrayList<>();
    List<Integer> sums = new ArrayList<>();
    int place = 0;
    int most = 0;
    for (int i = 0; i < all.size(); i++) {
      ConvolutionTile tile = all.get(i);
      int pairs = tile.pairs(Math.ceilDiv(tile.pairsOf(rows), counts[i]));
      words.addAll(tile.words(counts[i], pairs, place));
      place += counts[i] * (tile.sums() + tile.biases());
      most = Math.max(most, tile.sumsOfQuad());
      add(parts, i, counts[i]);
      add(sums, i, tile.quads() + (tile.biases() > 0 ? 1 : 0));
    }
    tiles = memory.integers(words);
    blocks = memory.integers(parts);
    additions = memory.integers(sums);
    blockCount = parts.size() / 2;
    additionCount = sums.size() / 2;
    additionBytes = most * Float.BYTES;
    partial = memory.floats(place);
  }

  /**
   * Into how many parts the images of each tile are cut, so that all blocks have about as much and
   * begin at once, or in as few turns as the tiles alone need.
   */
  static int[] parts(List<ConvolutionTile> tiles, int rows, int atOnce) {
    int most = Math.ceilDiv(tiles.size(), atOnce) * atOnce;
    long cost = tiles.stream().mapToLong(tile -> tile.cost() * tile.pairsOf(rows)).sum();
    for (int wanted = most; ; wanted--) {
      double share = (double) cost / wanted;
      int[] counts = tiles.stream().mapToInt(tile -> parts(tile, rows, share)).toArray();
      if (IntStream.of(counts).sum() <= most) {
        return counts;
      }
    }
  }

  private static int parts(ConvolutionTile tile, int rows, double share) {
    int all = tile.pairsOf(rows);
    long pairs = Math.round(share / tile.cost());
    return Math.ceilDiv(all, Math.toIntExact(Math.clamp(pairs, 1, all)));
  }

  /** A block for every part of a tile. */
  private static void add(List<Integer> blocks, int tile, int parts) {
    for (int part = 0; part < parts; part++) {
      blocks.add(tile);
      blocks.add(part);
    }
  }

  /**
   * Adds the gradients to {@link FlatParameters#gradient}.
   *
   * @param x what every convolution saw
   * @param dy the gradients of what they gave
   */
  public void add(List<Tensor> x, List<Tensor> dy) {
    List<Tensor> planes = new ArrayList<>();
    for (int i = 0; i < CONVOLUTIONS; i++) {
      boolean transposed = convolutions.get(i).transposed();
      planes.add((transposed ? x : dy).get(i).contiguous());
      planes.add((transposed ? dy : x).get(i).contiguous());
    }
    launcher.launch(
        "convolution_gradients",
        blockCount,
        ConvolutionTile.THREADS,
        sharedBytes,
        tiles,
        blocks,
        planes,
        rows,
        partial);
    launcher.launch(
        "add_convolution_parts",
        additionCount,
        ConvolutionTile.THREADS,
        additionBytes,
        tiles,
        additions,
        partial,
        flat.gradient());
  }
}
