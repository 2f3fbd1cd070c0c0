package cifvi.engine.graph;

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
record DeviceRng(Launcher launcher, CounterRng counter, long address) implements Rng {
  private static final int THREADS = 256;
  private static final int MAX_BLOCKS = 1024;

  DeviceRng(Launcher launcher, CounterRng counter) {
    this(launcher, counter, 0);
  }

  /** Moved by kernels, see {@code noise.cu}: four numbers of 64 bits. */
  static final int ADDRESS_WORDS = 4;

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

  private Tensor draw(long rows, long columns, int normals) {
    Tensor out = counter.backend().empty(rows, columns);
    fill(out, normals);
    return out;
  }

  /** Fills {@code out}, {@code [rows, columns]} without gaps, with what {@link #normal} gives. */
  void fill(Tensor out) {
    fill(out, 1);
  }

  private void fill(Tensor out, int normals) {
    if (out.numel() == 0) {
      return;
    }
    long at = out.data_ptr().address();
    long rows = out.size(0);
    long columns = out.size(1);
    int blocks = (int) Math.min(MAX_BLOCKS, Math.ceilDiv(out.numel() / 4 + 2, THREADS));
    if (address == 0) {
      launcher.launch(
          "noise_at",
          blocks,
          THREADS,
          0,
          at,
          rows,
          columns,
          counter.seed(),
          counter.step(),
          counter.firstRow(),
          counter.purpose().code(),
          counter.stream(),
          normals);
    } else {
      launcher.launch(
          "captured_noise",
          blocks,
          THREADS,
          0,
          at,
          rows,
          columns,
          address,
          counter.firstRow(),
          counter.stream(),
          normals);
    }
  }
}
