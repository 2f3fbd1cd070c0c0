package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.WeightMap;
import cifvi.nn.FlatParameters;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** The gradients of all linear maps of a program at once, by {@code weights.cu}. */
public final class WeightKernels {
  static final int THREADS = 256;

  /** Most threads that share the rows of a sum. */
  static final int MAX_SHARES = 16;

  /** Numbers of shared memory for rows. */
  static final int CHUNK = 8192;

  private static final int SHARED_BYTES = (WeightTile.MAX_SIZE + CHUNK) * Float.BYTES;

  /** Blocks that the registers of a multiprocessor are enough for. */
  static final int RESIDENT = 4;

  /** Rows that are not worth cutting. */
  private static final int FEW_ROWS = 128;

  private final Launcher launcher;
  private final FlatParameters flat;
  private final TapeView tape;
  private final Tensor prepared;
  private final int count;
  private final int parts;
  private final int total;
  private final Tensor tiles;
  private final Tensor partial;

  public WeightKernels(
      Launcher launcher,
      FlatParameters flat,
      List<WeightMap> maps,
      TapeView tape,
      Tensor prepared,
      DeviceMemory memory) {
    this.launcher = launcher;
    this.flat = flat;
    this.tape = tape;
    this.prepared = prepared;
    List<Integer> words = new ArrayList<>();
    int place = 0;
    var all = maps.stream().flatMap(map -> WeightTile.of(map).stream()).toList();
    for (WeightTile tile : all) {
      tile.words(tape.table(), place).forEach(words::add);
      place += tile.size();
    }
    count = all.size();
    total = place;
    parts = parts(count, tape.rows(), launcher.limits());
    tiles = memory.integers(words);
    partial = memory.floats(parts == 1 ? 0 : (long) parts * total);
  }

  /** Into how many parts the rows are cut: with few tiles, as many as the device takes at once. */
  static int parts(int tiles, int rows, DeviceLimits limits) {
    int blocks = limits.resident(SHARED_BYTES, RESIDENT) * limits.multiprocessors();
    return Math.clamp(blocks / Math.max(1, tiles), 1, Math.ceilDiv(rows, FEW_ROWS));
  }

  /**
   * Adds the gradients to {@link FlatParameters#gradient}.
   *
   * @param dLogWeight the gradient of the loss in every log-weight
   * @param importance what that of each row is multiplied by; null for nothing, and then
   * @param objective gets the mean of the log-weights
   */
  public void add(
      float dLogWeight, @Nullable Tensor importance, Tensor logWeight, Tensor objective) {
    launcher.launch(
        "weight_gradients",
        count * parts + 1,
        THREADS,
        SHARED_BYTES,
        tiles,
        count,
        parts,
        partial,
        total,
        flat.effective(),
        prepared,
        flat.mask(),
        tape.tape(),
        importance,
        tape.rows(),
        dLogWeight,
        flat.gradient(),
        logWeight,
        objective);
    if (parts > 1) {
      launcher.launch(
          "add_weight_parts",
          count,
          THREADS,
          0,
          tiles,
          parts,
          partial,
          total,
          flat.effective(),
          prepared,
          flat.mask(),
          tape.rows(),
          dLogWeight,
          flat.gradient());
    }
  }
}
