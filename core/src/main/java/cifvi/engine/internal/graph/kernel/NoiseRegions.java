package cifvi.engine.internal.graph.kernel;

import cifvi.tensor.Rng;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/**
 * Where a program reads its noise: for every stream a {@code [rows, columns]} of one vector.
 *
 * @param vector contiguous
 * @param table the regions in device memory, so that one launch can fill them all
 */
public record NoiseRegions(Tensor vector, int rows, List<Region> regions, Tensor table) {
  /** The stream of the base; that of layer i is i + 1. */
  public static final int BASE_STREAM = 0;

  /**
   * The noise of one stream.
   *
   * @param column {@code rows} times this is where it begins
   */
  public record Region(int stream, int column, int columns) {
    /** As {@code noise.cu} reads it. */
    private IntStream words() {
      return IntStream.of(stream, column, columns);
    }
  }

  public static NoiseRegions of(
      Tensor vector, int rows, List<Region> regions, DeviceMemory memory) {
    int[] words = regions.stream().flatMapToInt(Region::words).toArray();
    return new NoiseRegions(vector, rows, regions, memory.integers(words));
  }

  public Tensor part(Region region) {
    long from = (long) region.column * rows;
    return vector.narrow(0, from, (long) region.columns * rows).view(rows, region.columns);
  }

  /**
   * Fills every region with the standard normals of its stream; where they are captured, in one
   * launch.
   */
  public void fill(Rng rng) {
    if (regions.isEmpty()) {
      return; // a plain flow of observed rows draws nothing
    }
    if (rng instanceof DeviceRng device && device.captured()) {
      device.fill(this);
      return;
    }
    for (Region region : regions) {
      Rng own = region.stream == BASE_STREAM ? rng : rng.layer(region.stream - 1);
      part(region).copy_(own.normal(rows, region.columns));
    }
  }

  /** Numbers of the largest. */
  long largest() {
    return (long) rows * regions.stream().mapToInt(Region::columns).max().orElse(0);
  }
}
