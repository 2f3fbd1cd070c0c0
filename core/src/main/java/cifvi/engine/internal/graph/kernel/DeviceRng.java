package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.tensor.CounterRng;
import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;

/**
 * The noise of a {@link CounterRng}, made on the device by {@code noise.cu}: the same numbers up to
 * the last bits of logarithm, sine and cosine.
 *
 * @param counter the address; where the noise is captured, only its stream and row count
 * @param address of what is captured: where in device memory seed, step, first row and purpose lie;
 *     0 where the noise is made at once
 */
public record DeviceRng(Launcher launcher, CounterRng counter, long address) implements Rng {
  private static final int THREADS = 128;
  private static final int MAX_BLOCKS = 1024;

  public DeviceRng(Launcher launcher, CounterRng counter) {
    this(launcher, counter, 0);
  }

  /** Moved by kernels, see {@code noise.cu}: four numbers of 64 bits. */
  public static final int ADDRESS_WORDS = 4;

  @Override
  public Tensor normal(long rows, long columns) {
    return draw(rows, columns, 1);
  }

  @Override
  public Tensor uniform(long rows, long columns) {
    return draw(rows, columns, 0);
  }

  @Override
  public DeviceRng layer(int index) {
    return new DeviceRng(launcher, counter.layer(index), address);
  }

  @Override
  public DeviceRng fromRow(long row) {
    return new DeviceRng(launcher, counter.fromRow(row), address);
  }

  /** Whether the address is looked up in device memory when the noise is made. */
  boolean captured() {
    return address != 0;
  }

  /** Fills every region with what {@link #normal} of its layer gives, in one launch. */
  void fill(NoiseRegions regions) {
    int count = regions.regions().size();
    int each = blocks(regions.largest());
    launcher.launch(
        "captured_streams",
        count * each,
        THREADS,
        0,
        regions.vector(),
        (long) regions.rows(),
        regions.table(),
        count,
        address,
        counter.firstRow());
  }

  private Tensor draw(long rows, long columns, int normals) {
    Tensor out = counter.backend().empty(rows, columns);
    if (out.numel() == 0) {
      return out;
    }
    int blocks = blocks(out.numel());
    if (captured()) {
      launcher.launch(
          "captured_noise",
          blocks,
          THREADS,
          0,
          out,
          rows,
          columns,
          address,
          counter.firstRow(),
          counter.stream(),
          normals);
    } else {
      launcher.launch(
          "noise_at",
          blocks,
          THREADS,
          0,
          out,
          rows,
          columns,
          counter.seed(),
          counter.step(),
          counter.firstRow(),
          counter.purpose().code(),
          counter.stream(),
          normals);
    }
    return out;
  }

  /** A thread makes four numbers; one more where they begin inside a Philox block. */
  private static int blocks(long numbers) {
    return (int) Math.min(MAX_BLOCKS, Math.ceilDiv(numbers / 4 + 2, THREADS));
  }
}
