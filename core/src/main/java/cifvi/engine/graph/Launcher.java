package cifvi.engine.graph;

/** Starts kernels of one compiled source on the current stream. */
public interface Launcher {
  /**
   * Starts a kernel and does not wait for it.
   *
   * @param sharedBytes dynamic shared memory of a block
   * @param arguments addresses of device memory ({@code Long}), whole numbers ({@code Long}, {@code
   *     Integer}) and reals ({@code Float}, {@code Double}), as the kernel declares them
   */
  void launch(String kernel, int blocks, int threads, int sharedBytes, Object... arguments);
}
