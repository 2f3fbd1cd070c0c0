package cifvi.experiments.run;

import cifvi.experiments.files.Texts;

/**
 * What a run found out, a record with the keys of {@code result.json}; of those {@code seconds} and
 * {@code ms_per_step} alone depend on the machine.
 */
public interface RunResult {
  /** Whether its steps ceased to be finite, so that the best state before that was evaluated. */
  default boolean brokeOff() {
    return false;
  }

  default String json() {
    return Texts.JSON.writeValueAsString(this) + "\n";
  }
}
