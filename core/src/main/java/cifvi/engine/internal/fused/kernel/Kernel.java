package cifvi.engine.internal.fused.kernel;

import cifvi.engine.internal.fused.Pool;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;

/**
 * One operation of a compiled model on the rows of a {@link Tape}. Where it reads and writes was
 * fixed when it was made, and whatever belongs to a row lies on the tape, so that threads share it.
 *
 * <p>A kernel may keep what is the same for all rows of a step: a matrix made of the parameters,
 * the statistics of the batch. It changes that only where no thread is in one of the methods here,
 * in a preparation ({@link Layout#prepare}) or as a {@link BatchKernel} gathers; {@link Pool} lets
 * all threads see it.
 */
public interface Kernel {
  /** From its input to its output; adds its part to the log-weights. */
  void forward(Tape tape);

  /**
   * Adds to the gradients of its input and of its parameters, given those of its output and of the
   * log-weights.
   */
  void backward(Tape tape);

  /** From its output back to its input; adds its part to log q(z, u) - log r(u|z). */
  void inverse(Tape tape);
}
