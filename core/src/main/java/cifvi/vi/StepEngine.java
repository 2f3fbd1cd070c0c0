package cifvi.vi;

import cifvi.distribution.Observation;
import java.util.function.Consumer;

/**
 * Runs whole training steps: forward, backward, clip, update. A step is a pure function of
 * parameters, optimiser state, data and step number; the noise follows from the last.
 */
public interface StepEngine extends AutoCloseable {
  /**
   * Takes step number {@code step} on the batch x; leaves everything as it was if loss or gradient
   * is not finite.
   */
  StepInfo step(long step, double learningRate, Observation x);

  /**
   * Takes a step like {@link #step} without waiting for it: {@code report} is told when the numbers
   * are known, at once or some steps later, in the order of the steps and in this thread.
   */
  default void submit(long step, double learningRate, Observation x, Consumer<StepInfo> report) {
    report.accept(step(step, learningRate, x));
  }

  /** Waits for every step that was submitted and lets it report. */
  default void finish() {}

  /** Seconds for which the thread that takes the steps has waited for others. */
  default double waited() {
    return 0;
  }

  /** The optimiser's state, for checkpoints; true after {@link #finish}. */
  Optimiser optimiser();

  /** For logs and results: {@code eager}, … */
  String name();

  @Override
  void close();
}
