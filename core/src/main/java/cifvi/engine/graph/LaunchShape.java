package cifvi.engine.graph;

/**
 * How a batch is cut into blocks.
 *
 * @param tile rows of a block
 */
record LaunchShape(int tile, int blocks, int threads, int sharedBytes) {
  /** Multiprocessors of the devices this is made for; others are served as well. */
  private static final int MULTIPROCESSORS = 132;

  /** What a block may have of shared memory there. */
  private static final int MAX_SHARED = 227 * 1024;

  private static final int MAX_TILE = 8;

  /** One row keeps fewer threads busy than several, but needs more of them for each number. */
  private static final int THREADS = 256;

  /**
   * As few rows a block as fill the device.
   *
   * @param table of the program
   * @param ops most operations of a stage
   * @throws DeviceCompiler.UncoveredException where one row does not fit
   */
  static LaunchShape of(ProgramTable table, int variables, int ops, int rows) {
    int tile = Math.min(MAX_TILE, Math.ceilDiv(rows, MULTIPROCESSORS));
    while (tile > 1 && bytes(table, variables, ops, tile) > MAX_SHARED) {
      tile--;
    }
    int bytes = bytes(table, variables, ops, tile);
    if (bytes > MAX_SHARED) {
      throw new DeviceCompiler.UncoveredException(
          "a row needs %d KB of shared memory, %d are there"
              .formatted(bytes / 1024, MAX_SHARED / 1024));
    }
    int threads = tile == 1 ? ProgramSource.MAX_THREADS : THREADS;
    return new LaunchShape(tile, Math.ceilDiv(rows, tile), threads, bytes);
  }

  private static int bytes(ProgramTable table, int variables, int ops, int tile) {
    int words = variables * ProgramTable.VARIABLE_WORDS + ops * Op.WORDS;
    return tile * table.width() * Double.BYTES
        + (words + ProgramSource.SCRATCH + table.slots() * tile) * Integer.BYTES;
  }
}
