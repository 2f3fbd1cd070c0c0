package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.nn.FlatParameters;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** The gradients of all convolutions of a decoder at once, by {@code convolution_weights.cu}. */
public final class ConvolutionKernels {
  /** How many there are. */
  static final int CONVOLUTIONS = 16;

  /** About how many blocks of a multiprocessor the images are cut for. */
  private static final int BLOCKS = 4;

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
    int wanted = BLOCKS * limits.multiprocessors();
    List<ConvolutionTile> all = new ArrayList<>();
    for (int i = 0; i < CONVOLUTIONS; i++) {
      all.addAll(ConvolutionTile.of(convolutions.get(i), i, limits));
    }
    long cost = all.stream().mapToLong(ConvolutionTile::cost).sum();
    List<Integer> words = new ArrayList<>();
    List<Integer> parts = new ArrayList<>();
    List<Integer> sums = new ArrayList<>();
    int place = 0;
    int most = 0;
    for (int i = 0; i < all.size(); i++) {
      ConvolutionTile tile = all.get(i);
      int count = parts(tile, cost, rows, wanted);
      int images = tile.images(Math.ceilDiv(rows, count));
      words.addAll(tile.words(count, images, place));
      place += count * (tile.sums() + tile.biases());
      most = Math.max(most, tile.sumsOfQuad());
      add(parts, i, count);
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

  /** Into how many parts the images of a tile are cut, so that all blocks have about as much. */
  private static int parts(ConvolutionTile tile, long all, int rows, int blocks) {
    long images = Math.round((double) all * rows / ((double) tile.cost() * blocks));
    return Math.ceilDiv(rows, Math.toIntExact(Math.clamp(images, 1, rows)));
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
