package cifvi.experiments.images;

import cifvi.distribution.Observation;
import cifvi.experiments.data.Binarisation;
import cifvi.nn.Images;
import cifvi.tensor.Backend;
import java.util.Arrays;

/** Images as the models see them: binarised, each draw decided by its round and the image alone. */
public final class BinaryImages {
  private final Backend backend;
  private final Binarisation binarisation;
  private final int[] rows;
  private float[] pixels = {};

  /** Those with the numbers {@code rows}, in this order. */
  public BinaryImages(Backend backend, Binarisation binarisation, int[] rows) {
    this.backend = backend;
    this.binarisation = binarisation;
    this.rows = rows;
  }

  int count() {
    return rows.length;
  }

  /** Places {@code from} to {@code from + count - 1} as a batch, which the caller's scope frees. */
  public Observation draw(long round, int from, int count) {
    int size = Math.multiplyExact(count, Images.PIXELS);
    if (pixels.length != size) {
      pixels = new float[size];
    }
    binarisation.draw(round, rows, from, count, pixels);
    return Observation.of(backend.tensor(pixels, count, 1, Images.SIDE, Images.SIDE));
  }

  /** The first {@code count} rows of a data set. */
  public static int[] first(int count) {
    int[] rows = new int[count];
    Arrays.setAll(rows, i -> i);
    return rows;
  }
}
