package cifvi.nn;

import cifvi.tensor.Backend;
import cifvi.tensor.Scope;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * All trainable tensors of a model in one aligned buffer, with their gradients in a second:
 * clipping, Adam and checkpoints are then a few operations on one vector.
 *
 * <p>{@link #values} holds what is trained and saved. The networks compute with {@link #effective},
 * the same numbers times the masks, brought up to date once a step by {@link #update}; without
 * masks the two are one. Every tensor starts at a multiple of {@value #ALIGNMENT} elements, the
 * gaps stay zero.
 */
public final class FlatParameters implements AutoCloseable {
  /** In elements: 64 bytes of float32, one cache line and the widest vector register. */
  public static final int ALIGNMENT = 16;

  private final SequencedMap<String, Slice> slices = new LinkedHashMap<>();
  private final Tensor values;
  private final Tensor effective;
  private final Tensor gradient;
  private final @Nullable Tensor mask;

  /** Where a named tensor lies in the buffer, in elements. */
  public record Slice(long offset, long count, List<Long> shape) {
    /** The tensor itself, as a view of a flat vector of this layout. */
    public Tensor of(Tensor flat) {
      return flat.narrow(0, offset, count).view(shape.stream().mapToLong(n -> n).toArray());
    }
  }

  FlatParameters(Backend backend, List<Parameters.Entry> entries) {
    long size = 0;
    for (var entry : entries) {
      long count = entry.value().numel();
      slices.put(
          entry.name(),
          new Slice(size, count, Arrays.stream(entry.value().shape()).boxed().toList()));
      size += Math.ceilDiv(count, ALIGNMENT) * ALIGNMENT;
    }
    boolean masked = entries.stream().anyMatch(e -> e.mask() != null);
    values = Scope.keep(backend.zeros(size));
    gradient = Scope.keep(backend.zeros(size));
    effective = masked ? Scope.keep(backend.zeros(size)) : values;
    mask = masked ? Scope.keep(backend.full(1, size)) : null;
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      entries.forEach(this::adopt);
      applyMasks();
    }
  }

  /**
   * Copies the entry's numbers in and lets its tensor, which networks hold already, look at the
   * buffer.
   */
  private void adopt(Parameters.Entry entry) {
    var slice = get(entry.name());
    slice.of(values).copy_(entry.value());
    if (entry.mask() != null && mask != null) {
      slice.of(mask).copy_(entry.mask());
    }
    entry.value().set_data(slice.of(effective));
    entry.value().mutable_grad().put(slice.of(gradient));
  }

  private void applyMasks() {
    if (mask != null) {
      effective.copy_(values.mul(mask));
    }
  }

  /** The trained numbers, masked entries included. */
  public Tensor values() {
    return values;
  }

  /** The numbers the networks compute with. */
  public Tensor effective() {
    return effective;
  }

  /** The gradient buffer that backward passes add to. */
  public Tensor gradient() {
    return gradient;
  }

  /** Removes what a backward pass wrote for masked entries. */
  public void maskGradient() {
    if (mask != null) {
      gradient.mul_(mask);
    }
  }

  /** The masks in this layout, 1 where an entry takes part; null where the model has none. */
  public @Nullable Tensor mask() {
    return mask;
  }

  /** Changes {@link #values} in place, then brings {@link #effective} up to date. */
  public void update(Runnable change) {
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      change.run();
      applyMasks();
    }
  }

  /**
   * The tensor called {@code name} within a flat vector of this layout: values, gradient or an
   * optimiser's moments.
   */
  public Tensor view(Tensor flat, String name) {
    return get(name).of(flat);
  }

  /** Slices by name, in the order of registration. */
  public SequencedMap<String, Slice> slices() {
    return Collections.unmodifiableSequencedMap(slices);
  }

  /** Number of elements, gaps included. */
  public long size() {
    return values.numel();
  }

  /** A flat CPU vector of this layout as plain memory, for kernels. */
  @SuppressWarnings("restricted") // the tensor owns the memory and outlives the segment
  public static MemorySegment memory(Tensor flat) {
    return MemorySegment.ofAddress(flat.data_ptr().address())
        .reinterpret(flat.numel() * flat.element_size());
  }

  /** Whether a tensor that a network holds is one of these, and not a buffer. */
  public boolean holds(Tensor tensor) {
    long offset = address(tensor) - address(effective);
    return offset >= 0 && offset < size() * effective.element_size();
  }

  /** Where a tensor that a network holds lies in the buffer, in elements. */
  public long offset(Tensor parameter) {
    if (!holds(parameter)) {
      throw new IllegalArgumentException("parameter: expected one of this model");
    }
    return (address(parameter) - address(effective)) / effective.element_size();
  }

  private static long address(Tensor tensor) {
    return tensor.data_ptr().address();
  }

  private Slice get(String name) {
    Slice slice = slices.get(name);
    if (slice == null) {
      throw new IllegalArgumentException("parameter " + name + " does not exist");
    }
    return slice;
  }

  @Override
  public void close() {
    Scope.release(values);
    Scope.release(gradient);
    if (mask != null) {
      Scope.release(effective);
      Scope.release(mask);
    }
  }
}
