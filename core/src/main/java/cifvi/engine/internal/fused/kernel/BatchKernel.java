package cifvi.engine.internal.fused.kernel;

import cifvi.engine.internal.fused.memory.Batch;

/**
 * A kernel that couples the rows of a batch: it looks at all of them before it goes through each,
 * in the forward and in the backward pass. One thread gathers, while the others wait.
 */
public interface BatchKernel extends Kernel {
  /** Looks at the inputs of all rows. */
  void gather(Batch batch);

  /** Looks at the gradients of the outputs of all rows. */
  void gatherGradients(Batch batch);
}
