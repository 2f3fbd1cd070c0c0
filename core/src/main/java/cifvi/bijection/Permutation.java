package cifvi.bijection;

import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Shapes;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;

/**
 * Reorders the features: output j is input perm[j]. The order is a buffer, saved with the model.
 */
public final class Permutation implements Bijection {
  private final Tensor order;

  public Permutation(Parameters parameters, long... order) {
    requirePermutation(order);
    this.order = parameters.buffer("permutation", parameters.backend().longs(order, order.length));
  }

  /** A random order that depends on the parameters' seed and name (Fisher–Yates). */
  public static Permutation random(Parameters parameters, int features) {
    long[] order = LongStream.range(0, features).toArray();
    double[] u = parameters.rng(Purpose.PERMUTE, "permutation").uniforms(1, features);
    for (int i = features - 1; i > 0; i--) {
      int j = (int) (u[i] * (i + 1));
      long kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    return new Permutation(parameters, order);
  }

  @Override
  public Mapped forward(Tensor w) {
    Shapes.require("w", w, Shapes.BATCH, order.numel());
    return Mapped.volumePreserving(w.index_select(1, order));
  }

  @Override
  public Mapped inverse(Tensor z) {
    Shapes.require("z", z, Shapes.BATCH, order.numel());
    return Mapped.volumePreserving(z.index_select(1, order.argsort()));
  }

  /** The order as the buffer that is saved and loaded, {@code [features]}. */
  public Tensor indices() {
    return order;
  }

  /** The order as Java numbers. */
  public long[] order() {
    return Backend.longs(order);
  }

  private static void requirePermutation(long[] order) {
    if (!LongStream.of(order)
        .sorted()
        .boxed()
        .toList()
        .equals(LongStream.range(0, order.length).boxed().toList())) {
      throw new IllegalArgumentException(
          "order: expected a permutation of 0 to "
              + (order.length - 1)
              + ", got "
              + Arrays.toString(order));
    }
  }
}
