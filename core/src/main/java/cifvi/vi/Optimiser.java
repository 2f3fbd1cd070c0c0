package cifvi.vi;

import java.util.SequencedMap;
import org.bytedeco.pytorch.Tensor;

/**
 * What an optimiser knows besides the parameters: saved with them, and resumed. How it moves them
 * is the concern of the engine it belongs to.
 */
public interface Optimiser {
  /** Vectors in the layout of the parameters, by the name they are saved under. */
  SequencedMap<String, Tensor> moments();

  /** Number of updates made so far. */
  long updates();

  /** Before which update the clock of each tensor started, by name; -1 where it has not. */
  SequencedMap<String, Long> starts();

  /**
   * Goes on after {@code updates} updates with the given {@link #starts}, the {@link #moments}
   * having been filled in.
   */
  void resume(long updates, SequencedMap<String, Long> starts);
}
