package cifvi.vi;

import cifvi.distribution.Observation;

/**
 * Runs whole training steps: forward, backward, clip, Adam. A step is a pure function of
 * parameters, optimiser state, data and step number; the noise follows from the last.
 */
public interface StepEngine extends AutoCloseable {
  /**
   * Takes step number {@code step} on the batch x; leaves everything as it was if loss or gradient
   * is not finite.
   */
  StepInfo step(long step, double learningRate, Observation x);

  /** The optimiser's state, for checkpoints. */
  Adam optimiser();

  /** For logs and results: {@code eager}, … */
  String name();

  @Override
  void close();
}
