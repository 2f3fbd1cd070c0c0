package cifvi.engine.fused;

/**
 * One operation of a compiled model on the rows of a {@link Tape}. Where it reads and writes was
 * fixed when it was made; it has no state of its own, so that threads share it.
 */
interface Kernel {
  /** From its input to its output; adds its part to the log-weights. */
  void forward(Tape tape);

  /**
   * Adds to the gradients of its input and of its parameters, given those of its output and of the
   * log-weights.
   */
  void backward(Tape tape);

  /** From its output back to its input; adds its part to log q(z, u) - log r(u|z). */
  void inverse(Tape tape);

  /** Whether libtorch would be as fast: a model of such kernels and segments stays eager. */
  default boolean cheap() {
    return false;
  }
}
