package cifvi.experiments.images;

import cifvi.distribution.Observation;
import cifvi.engine.internal.graph.kernel.DeviceImages;
import cifvi.experiments.data.Binarisation;
import cifvi.nn.Images;
import cifvi.tensor.Backend;
import cifvi.tensor.Scope;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Images as the models see them: binarised, each draw decided by its round and the image alone. On
 * a GPU the grey images lie there and are binarised there, with the same draws.
 */
public final class BinaryImages implements AutoCloseable {
  private final Backend backend;
  private final Binarisation binarisation;
  private final @Nullable DeviceImages onDevice;
  private int[] rows;
  private @Nullable Tensor order;
  private float[] pixels = {};

  /** Those with the numbers {@code rows}, in this order. */
  public BinaryImages(Backend backend, Binarisation binarisation, int[] rows) {
    this.backend = backend;
    this.binarisation = binarisation;
    this.onDevice =
        DeviceImages.on(backend, binarisation.images().pixels(), binarisation.images().size())
            .orElse(null);
    this.rows = rows;
  }

  /** From now on those with the numbers {@code rows}, in this order. */
  void reorder(int[] rows) {
    forget();
    this.rows = rows;
  }

  int count() {
    return rows.length;
  }

  /** Places {@code from} to {@code from + count - 1} as a batch, which the caller's scope frees. */
  public Observation draw(long round, int from, int count) {
    Tensor x = onDevice == null ? drawn(round, from, count) : drawn(onDevice, round, from, count);
    return Observation.of(x.view(count, 1, Images.SIDE, Images.SIDE));
  }

  private Tensor drawn(long round, int from, int count) {
    int size = Math.multiplyExact(count, Images.PIXELS);
    if (pixels.length != size) {
      pixels = new float[size];
    }
    binarisation.draw(round, rows, from, count, pixels);
    return backend.tensor(pixels, count, Images.PIXELS);
  }

  private Tensor drawn(DeviceImages images, long round, int from, int count) {
    if (order == null) {
      order = images.order(rows);
    }
    return images.draw(
        order, from, count, binarisation.seed(), binarisation.part().stream(), round);
  }

  /** The first {@code count} rows of a data set. */
  public static int[] first(int count) {
    int[] rows = new int[count];
    Arrays.setAll(rows, i -> i);
    return rows;
  }

  private void forget() {
    if (order != null) {
      Scope.release(order);
      order = null;
    }
  }

  @Override
  public void close() {
    forget();
    if (onDevice != null) {
      onDevice.close();
    }
  }
}
