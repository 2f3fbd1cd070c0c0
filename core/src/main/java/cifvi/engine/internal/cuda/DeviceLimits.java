package cifvi.engine.internal.cuda;

import java.util.Optional;

/**
 * What a device has for the blocks of a kernel, in bytes where it is shared memory.
 *
 * @param blockShared what a block may have
 * @param multiprocessorShared what all blocks on a multiprocessor have together
 * @param reserved what the system takes of that for every block
 * @param matrixUnits whether it has units that multiply matrices of TF32 numbers
 */
public record DeviceLimits(
    int multiprocessors,
    int blockShared,
    int multiprocessorShared,
    int reserved,
    boolean matrixUnits) {
  /** How many blocks with so much shared memory are on a multiprocessor at once, up to a number. */
  public int resident(int bytes, int most) {
    return Math.clamp(multiprocessorShared / (bytes + reserved), 1, most);
  }

  /** What a block may have, so that several fit on a multiprocessor. */
  public int sharedOf(int blocks) {
    return Math.min(blockShared, multiprocessorShared / blocks - reserved);
  }

  /** Why a block cannot have so much, if so. */
  public Optional<String> shortage(String what, int bytes) {
    return bytes <= blockShared
        ? Optional.empty()
        : Optional.of(
            "%s needs %d KB of shared memory, the device has %d"
                .formatted(what, Math.ceilDiv(bytes, 1024), blockShared / 1024));
  }
}
