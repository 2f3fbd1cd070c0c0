package cifvi.experiments.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a checkpoint beside its tensors.
 *
 * @param adamStarts the clock of each tensor, in the model's order
 * @param stopping null where the run has no validation
 * @param stage null where the run has one only
 */
record Counters(
    long step,
    long skipped,
    int skippedInARow,
    long adamUpdates,
    SequencedMap<String, Long> adamStarts,
    EarlyStopping.@Nullable State stopping,
    @Nullable String stage) {
  static final String STAGE = "stage";
  private static final String START = "adam_start.";

  static Counters of(Checkpoints.State state) {
    return new Counters(
        state.trainer().steps(),
        state.trainer().skipped(),
        state.trainer().skippedInARow(),
        state.optimiser().updates(),
        state.optimiser().starts(),
        state.stopping() == null ? null : state.stopping().state(),
        state.stage());
  }

  Map<String, String> metadata() {
    var metadata = new TreeMap<String, String>();
    metadata.put("step", Long.toString(step));
    metadata.put("skipped", Long.toString(skipped));
    metadata.put("skipped_in_a_row", Integer.toString(skippedInARow));
    metadata.put("adam_updates", Long.toString(adamUpdates));
    adamStarts.forEach((name, start) -> metadata.put(START + name, Long.toString(start)));
    if (stopping != null) {
      metadata.put("epoch", Long.toString(stopping.epochs()));
      metadata.put("best_epoch", Long.toString(stopping.bestEpoch()));
      metadata.put("bad_epochs", Long.toString(stopping.badEpochs()));
      metadata.put("best_valid_elbo", Double.toString(stopping.best()));
    }
    if (stage != null) {
      metadata.put(STAGE, stage);
    }
    return metadata;
  }

  /**
   * Reads all numbers that a model with these tensors needs.
   *
   * @throws IllegalArgumentException naming one that is missing or cannot be
   */
  static Counters parse(
      Map<String, String> metadata, SequencedSet<String> tensors, boolean validated) {
    long step = step(metadata);
    long updates = number(metadata, "adam_updates", 0, step);
    var starts = new LinkedHashMap<String, Long>();
    tensors.forEach(name -> starts.put(name, number(metadata, START + name, -1, updates)));
    return new Counters(
        step,
        number(metadata, "skipped", 0, step),
        (int) number(metadata, "skipped_in_a_row", 0, Math.min(step, Integer.MAX_VALUE)),
        updates,
        starts,
        validated ? stopping(metadata) : null,
        metadata.get(STAGE));
  }

  static long step(Map<String, String> metadata) {
    return number(metadata, "step", 0, Long.MAX_VALUE);
  }

  static EarlyStopping.State stopping(Map<String, String> metadata) {
    long epochs = number(metadata, "epoch", 0, Long.MAX_VALUE);
    String best = String.valueOf(metadata.get("best_valid_elbo"));
    try {
      return new EarlyStopping.State(
          epochs,
          number(metadata, "best_epoch", 0, epochs),
          number(metadata, "bad_epochs", 0, epochs),
          Double.parseDouble(best));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("metadata best_valid_elbo is not a number: " + best, e);
    }
  }

  private static long number(Map<String, String> metadata, String key, long least, long most) {
    String text = String.valueOf(metadata.get(key));
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException _) {
      // the same answer as for a number that cannot be
    }
    throw new IllegalArgumentException(
        "metadata %s: expected a number from %d to %d, got %s".formatted(key, least, most, text));
  }
}
