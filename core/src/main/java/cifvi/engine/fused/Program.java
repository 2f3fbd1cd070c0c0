package cifvi.engine.fused;

import java.util.List;

/**
 * A compiled model: its kernels from the base to the target.
 *
 * @param z what the last layer gives
 */
record Program(Weights weights, Layout layout, List<Kernel> kernels, Layout.Var z) {
  /** Draws rows and sums their log-weights log p(x, z) + Δ. */
  void forward(Tape tape) {
    for (int i = 0; i < kernels.size(); i++) {
      kernels.get(i).forward(tape);
    }
  }

  /** Adds to the gradients of the parameters. */
  void backward(Tape tape) {
    for (int i = kernels.size() - 1; i >= 0; i--) {
      kernels.get(i).backward(tape);
    }
  }

  /** From z, which was put there, back to the base: log q(z, u) - log r(u|z). */
  void inverse(Tape tape) {
    for (int i = kernels.size() - 1; i >= 0; i--) {
      kernels.get(i).inverse(tape);
    }
  }
}
