package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.tensor.Scope;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/** The observation that a graph was captured with, whose memory every replay reads. */
record StaticInput(Observation x) implements AutoCloseable {
  /** What must agree for an observation to fit: whether there is data, and its shape. */
  record Shape(boolean data, List<Long> sizes) {
    static Shape of(Observation x) {
      return switch (x) {
        case Observation.None none -> new Shape(false, List.of(none.rows()));
        case Observation.Batch batch -> new Shape(true, sizes(batch.x()));
      };
    }

    private static List<Long> sizes(Tensor x) {
      return Arrays.stream(x.shape()).boxed().toList();
    }
  }

  /** Memory of its own, filled with x. */
  static StaticInput like(Observation x) {
    return switch (x) {
      case Observation.None none -> new StaticInput(none);
      case Observation.Batch batch ->
          new StaticInput(Observation.of(Scope.keep(batch.x().contiguous().clone())));
    };
  }

  /** Fills the memory with another observation of the same shape. */
  void set(Observation other) {
    if (x instanceof Observation.Batch(Tensor own)
        && other instanceof Observation.Batch(Tensor given)) {
      try (var _ = new PointerScope()) {
        own.copy_(given);
      }
    }
  }

  @Override
  public void close() {
    if (x instanceof Observation.Batch(Tensor own)) {
      Scope.release(own);
    }
  }
}
