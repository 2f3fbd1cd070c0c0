package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.graph.program.Op;
import cifvi.engine.internal.graph.program.OpKind;
import cifvi.engine.internal.graph.program.OpTable;
import cifvi.engine.internal.plan.UncoveredException;
import java.util.List;

/**
 * How a batch is cut into blocks.
 *
 * @param tile rows of a block
 */
public record LaunchShape(int tile, int blocks, int threads, int sharedBytes) {
  /** Blocks of branches that shall fit on a multiprocessor: one computes while the other waits. */
  private static final int TOGETHER = 2;

  /** So many of them, one after the other, are faster with a row each than one with all rows. */
  private static final int WAVES = 6;

  private static final int MAX_TILE = 8;

  /** Threads of a block; every one of them costs a little in every operation. */
  private static final int THREADS = 256;

  /** The same where one row goes through maps with many inputs and many outputs. */
  private static final int WIDE_THREADS = 512;

  private static final int WIDE = 100;

  /**
   * As few rows a block as fill the device; where there are images but no layers, hence little to
   * share between rows, as few as fill it several times over.
   *
   * @param table of the program
   * @param ops those of all stages but branches
   * @throws UncoveredException where one row does not fit
   */
  public static LaunchShape chain(OpTable table, List<Op> ops, int rows, DeviceLimits limits) {
    var need = new Need(table, List.of(ops), limits);
    boolean bare = ops.stream().noneMatch(op -> op.kind().work == OpKind.Work.LAYER);
    int blocks = bare ? many(limits) : limits.multiprocessors();
    int tile = need.tile(rows, blocks, limits.blockShared());
    int threads = tile == 1 && ops.stream().anyMatch(LaunchShape::wide) ? WIDE_THREADS : THREADS;
    return new LaunchShape(tile, Math.ceilDiv(rows, tile), threads, need.bytes(tile));
  }

  private static boolean wide(Op op) {
    return op.kind().work == OpKind.Work.PRODUCT
        && op.in().getFirst().size() >= WIDE
        && op.out().getFirst().size() >= WIDE;
  }

  /**
   * A block for every tile and branch, branch after branch, several on a multiprocessor.
   *
   * @param branches operations of each
   * @throws UncoveredException where one row does not fit
   */
  public static LaunchShape branches(
      OpTable table, List<List<Op>> branches, int rows, DeviceLimits limits) {
    var need = new Need(table, branches, limits);
    int tile = need.tile(rows * branches.size(), many(limits), limits.sharedOf(TOGETHER));
    int blocks = Math.ceilDiv(rows, tile) * branches.size();
    return new LaunchShape(tile, blocks, THREADS, need.bytes(tile));
  }

  private static int many(DeviceLimits limits) {
    return WAVES * TOGETHER * limits.multiprocessors();
  }

  /** What the largest of some lists of operations needs of shared memory. */
  private record Need(OpTable table, List<List<Op>> lists, DeviceLimits limits) {
    /** Rows of a block, so that there are {@code blocks} and each has not more than wished. */
    int tile(int rows, int blocks, int shared) {
      int tile = Math.clamp(Math.ceilDiv(rows, blocks), 1, MAX_TILE);
      while (tile > 1 && bytes(tile) > shared) {
        tile--;
      }
      UncoveredException.throwIf(limits.shortage("a row", bytes(tile)));
      return tile;
    }

    int bytes(int tile) {
      return lists.stream().mapToInt(ops -> bytes(ops, tile)).max().orElse(0);
    }

    private int bytes(List<Op> ops, int tile) {
      int words = table.saved().length * OpTable.VARIABLE_WORDS + ops.size() * Op.WORDS;
      return tile * table.width() * Double.BYTES
          + (words + KernelSource.SCRATCH + table.slots(ops) * tile) * Integer.BYTES;
    }
  }
}
