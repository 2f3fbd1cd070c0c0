package cifvi.density;

import cifvi.distribution.Observation;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Scope;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/**
 * Standardised rows in batches, every epoch in an order of its own that follows from seed and
 * epoch. What is left when no whole batch remains waits for another epoch.
 */
public final class Batches implements AutoCloseable {
  private static final long LEAST_STEPS = 100;

  private final Backend backend;
  private final long seed;
  private final int rows;
  private final int batch;
  private final Tensor data;
  private final Tensor ordered;
  private long epoch = -1;

  /**
   * Batches of rows.
   *
   * @param flat the rows one after the other
   */
  public Batches(Backend backend, double[] flat, int columns, int batch, long seed) {
    this.backend = backend;
    this.seed = seed;
    this.rows = flat.length / columns;
    this.batch = Math.min(batch, rows);
    try (var _ = new PointerScope()) {
      data = Scope.keep(backend.tensor(flat, rows, columns));
      ordered = Scope.keep(data.clone());
    }
  }

  public long perEpoch() {
    return rows / batch;
  }

  /** Steps from one validation to the next: whole epochs, which make at least a hundred. */
  public long perRound() {
    return Math.ceilDiv(LEAST_STEPS, perEpoch()) * perEpoch();
  }

  /** The rows of a step: a view, which the step of another epoch changes. */
  public Observation at(long step) {
    long wanted = step / perEpoch();
    if (wanted != epoch) {
      reorder(wanted);
    }
    return Observation.of(ordered.narrow(0, step % perEpoch() * batch, batch));
  }

  private void reorder(long wanted) {
    double[] keys = new CounterRng(backend, seed, Purpose.SHUFFLE).step(wanted).uniforms(rows, 1);
    Integer[] order = IntStream.range(0, rows).boxed().toArray(Integer[]::new);
    Arrays.sort(order, (a, b) -> Double.compare(keys[a], keys[b])); // stable, ties keep their order
    long[] indices = Arrays.stream(order).mapToLong(Integer::longValue).toArray();
    try (var _ = new PointerScope()) {
      ordered.copy_(data.index_select(0, backend.longs(indices, rows)));
    }
    epoch = wanted;
  }

  @Override
  public void close() {
    Scope.release(data);
    Scope.release(ordered);
  }
}
