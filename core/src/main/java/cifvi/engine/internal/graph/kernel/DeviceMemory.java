package cifvi.engine.internal.graph.kernel;

import cifvi.tensor.Backend;
import cifvi.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * The device memory of a program for one number of rows: made once, so that a graph can capture.
 */
public final class DeviceMemory implements AutoCloseable {
  private final Backend backend;
  private final List<Tensor> owned = new ArrayList<>();

  public DeviceMemory(Backend backend) {
    this.backend = backend;
  }

  public Tensor floats(long count) {
    try (var _ = new PointerScope()) {
      return own(backend.zeros(Math.max(1, count)));
    }
  }

  public Tensor doubles(long count) {
    try (var _ = new PointerScope()) {
      return own(backend.zeros(count).to(ScalarType.Double));
    }
  }

  public Tensor constants(float[] values) {
    try (var _ = new PointerScope()) {
      return own(backend.tensor(values, values.length));
    }
  }

  public Tensor integers(List<Integer> values) {
    return integers(values.stream().mapToInt(n -> n).toArray());
  }

  /** 32-bit integers, two in every element of a tensor of longs. */
  public Tensor integers(int[] values) {
    long[] pairs = new long[Math.ceilDiv(values.length, 2)];
    for (int i = 0; i < values.length; i++) {
      pairs[i / 2] |= Integer.toUnsignedLong(values[i]) << (i % 2 * Integer.SIZE);
    }
    return longs(pairs);
  }

  public Tensor longs(long[] values) {
    long[] some = values.length == 0 ? new long[1] : values; // an empty tensor has no memory
    try (var _ = new PointerScope()) {
      return own(backend.longs(some, some.length));
    }
  }

  private Tensor own(Tensor tensor) {
    owned.add(Scope.keep(tensor));
    return tensor;
  }

  @Override
  public void close() {
    owned.forEach(Scope::release);
    owned.clear();
  }
}
