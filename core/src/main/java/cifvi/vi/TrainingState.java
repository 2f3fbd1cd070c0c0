package cifvi.vi;

import cifvi.nn.Parameters;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A model in training, as tensors and numbers: what is saved, and gone on from with the same bits.
 * The noise is not part of it, since it follows from the number of the step.
 *
 * @param average null where the weights are not averaged
 */
public record TrainingState(
    Parameters parameters, Optimiser optimiser, Trainer trainer, @Nullable WeightAverage average) {
  private static final String START = "adam_start.";

  /**
   * Everything that changes in training, as views: parameters and buffers, {@code adam.m.*}, {@code
   * adam.v.*}, {@code ema.*}.
   */
  public SortedMap<String, Tensor> tensors() {
    var tensors = new TreeMap<>(parameters.state());
    var flat = parameters.flat();
    for (String name : flat.slices().keySet()) {
      optimiser
          .moments()
          .forEach((kind, all) -> tensors.put(kind + "." + name, flat.view(all, name)));
      if (average != null) {
        tensors.put("ema." + name, flat.view(average.average(), name));
      }
    }
    if (average != null) {
      average.statistics().forEach((name, tensor) -> tensors.put("ema." + name, tensor));
    }
    return tensors;
  }

  /** The numbers beside them. */
  public SortedMap<String, String> counters() {
    var counters = new TreeMap<String, String>();
    counters.put("step", Long.toString(trainer.steps()));
    counters.put("skipped", Long.toString(trainer.skipped()));
    counters.put("skipped_in_a_row", Integer.toString(trainer.skippedInARow()));
    counters.put("adam_updates", Long.toString(optimiser.updates()));
    optimiser.starts().forEach((name, start) -> counters.put(START + name, Long.toString(start)));
    return counters;
  }

  /**
   * Goes on from what {@link #tensors} and {@link #counters} gave. Everything is checked before
   * anything is changed.
   *
   * @throws IllegalArgumentException naming what is missing or cannot be
   */
  public void restore(Map<String, Tensor> saved, Map<String, String> counters) {
    long step = number(counters, "step", 0, Long.MAX_VALUE);
    long skipped = number(counters, "skipped", 0, step);
    long inARow = number(counters, "skipped_in_a_row", 0, Math.min(step, Integer.MAX_VALUE));
    long updates = number(counters, "adam_updates", 0, step);
    SequencedMap<String, Long> starts = new LinkedHashMap<>();
    parameters
        .flat()
        .slices()
        .sequencedKeySet()
        .forEach(name -> starts.put(name, number(counters, START + name, -1, updates)));
    requireFits(saved);
    Map<String, Tensor> own = tensors();
    parameters.replace(() -> own.forEach((name, tensor) -> tensor.copy_(saved.get(name))));
    optimiser.resume(updates, starts);
    trainer.resume(step, skipped, (int) inARow);
  }

  /** Refuses tensors whose names, shapes and types are not those of {@link #tensors}. */
  public void requireFits(Map<String, Tensor> given) {
    Map<String, Tensor> own = tensors();
    var names = new TreeSet<>(own.keySet());
    names.addAll(given.keySet());
    for (String name : names) {
      Tensor a = own.get(name);
      Tensor b = given.get(name);
      if (a == null
          || b == null
          || !Arrays.equals(a.shape(), b.shape())
          || a.scalar_type().intern() != b.scalar_type().intern()) {
        throw new IllegalArgumentException(
            "does not fit the model: " + name + (b == null ? " is missing" : ""));
      }
    }
  }

  private static long number(Map<String, String> counters, String key, long least, long most) {
    String text = String.valueOf(counters.get(key));
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
