package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.CudaDriver;
import cifvi.engine.internal.cuda.CudaLauncher;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.cuda.Nvrtc;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Scope;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/**
 * Grey images in a GPU's memory, from which binary batches are made there: of a step the processor
 * gives no more than where its batch begins.
 */
public final class DeviceImages implements AutoCloseable {
  private static final int THREADS = 256;
  private static final int MAX_BLOCKS = 4096;

  private final Backend backend;
  private final Launcher launcher;
  private final Tensor pixels;
  private final int size;

  /**
   * @param pixels unsigned bytes, image after image
   * @param size pixels of one image
   */
  public DeviceImages(Backend backend, Launcher launcher, byte[] pixels, int size) {
    this.backend = backend;
    this.launcher = launcher;
    this.pixels = Scope.keep(backend.bytes(pixels));
    this.size = size;
  }

  /** Empty where batches must be made by the processor: no GPU, or no compiler for its kernels. */
  public static Optional<DeviceImages> on(Backend backend, byte[] pixels, int size) {
    boolean able = backend.cuda() && CudaDriver.find().isPresent() && Nvrtc.find().isPresent();
    return able
        ? Optional.of(new DeviceImages(backend, launcher(backend), pixels, size))
        : Optional.empty();
  }

  private static Launcher launcher(Backend backend) {
    return CudaLauncher.of(
        backend, List.of(KernelSource.of(backend.precision(), "noise.cu", "binarise.cu")));
  }

  /** Numbers of images on the device, for {@link #draw}; the caller keeps and releases them. */
  public Tensor order(int[] rows) {
    long[] numbers = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      numbers[i] = rows[i];
    }
    return Scope.keep(backend.longs(numbers, numbers.length));
  }

  /**
   * Zeros and ones {@code [count, size]} for the images at places {@code from} to {@code from +
   * count - 1} of an order.
   *
   * @param stream of the purpose BINARISE
   * @param round step of the address
   */
  public Tensor draw(Tensor order, int from, int count, long seed, int stream, long round) {
    Tensor out = backend.empty(count, size);
    long blocks = (long) count * Math.ceilDiv(size, 4);
    if (blocks > 0) {
      launcher.launch(
          "binarise",
          (int) Math.min(MAX_BLOCKS, Math.ceilDiv(blocks, THREADS)),
          THREADS,
          0,
          out,
          pixels,
          order,
          (long) from,
          count,
          size,
          seed,
          round,
          Purpose.BINARISE.code() << 24 | stream);
    }
    return out;
  }

  @Override
  public void close() {
    Scope.release(pixels);
  }
}
