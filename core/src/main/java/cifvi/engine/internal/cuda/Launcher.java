package cifvi.engine.internal.cuda;

import org.jspecify.annotations.Nullable;

/** Starts kernels of one compiled source on the current stream of a device. */
public interface Launcher {
  /** What the device has. */
  DeviceLimits limits();

  /**
   * Starts a kernel and does not wait for it.
   *
   * @param sharedBytes dynamic shared memory of a block
   * @param arguments device memory (a {@code Tensor}, null for none, or a {@code Long}), whole
   *     numbers ({@code Long}, {@code Integer}) and reals ({@code Float}, {@code Double}), as the
   *     kernel declares them; a {@code List} of tensors, or nulls, is an array of addresses in a
   *     struct
   */
  void launch(
      String kernel, int blocks, int threads, int sharedBytes, @Nullable Object... arguments);

  /**
   * Starts what {@code work} launches on another stream, behind all that was started so far and
   * beside what will be, one at a time. {@code work} must launch kernels alone: memory that
   * libtorch hands out belongs to one stream.
   *
   * @return makes whatever is started from then on wait for it
   */
  default Runnable beside(Runnable work) {
    work.run();
    return () -> {};
  }
}
