package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.graph.program.OpTable;
import cifvi.engine.internal.graph.program.WeightMap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The part of a map's matrix that one block of {@code weights.cu} sums; the bias is one more input.
 *
 * @param output the first
 * @param input the first
 * @param outputs how many, a multiple of four, as each thread takes four
 * @param inputs likewise
 */
record WeightTile(WeightMap map, int output, int input, int outputs, int inputs) {
  /** Numbers of a tile, 16 for every thread. */
  static final int MAX_SIZE = 16 * WeightKernels.THREADS;

  /** A side of the tiles of large matrices, and twice what those of narrow ones have at most. */
  private static final int SIDE = 64;

  /** Tiles of about the same size that cover a matrix. */
  static List<WeightTile> of(WeightMap map) {
    int across = map.inputs() + 1;
    int inputs = side(across, MAX_SIZE / side(map.outputs(), SIDE));
    int outputs = side(map.outputs(), MAX_SIZE / inputs);
    var tiles = new ArrayList<WeightTile>();
    for (int o = 0; o < map.outputs(); o += outputs) {
      for (int i = 0; i < across; i += inputs) {
        tiles.add(new WeightTile(map, o, i, outputs, inputs));
      }
    }
    return tiles;
  }

  /** The side of tiles that share {@code length} evenly, at most {@code most} each. */
  private static int side(int length, int most) {
    int limit = Math.min(2 * SIDE, most / 4 * 4);
    return Math.ceilDiv(Math.ceilDiv(length, Math.ceilDiv(length, limit)), 4) * 4;
  }

  int size() {
    return outputs * inputs;
  }

  /**
   * The tile as its kernel reads it.
   *
   * @param place of its sums among those of all tiles
   */
  IntStream words(OpTable table, int place) {
    var own = IntStream.of(output, input, outputs, inputs, place);
    return IntStream.concat(IntStream.of(map.words(table)), own);
  }
}
