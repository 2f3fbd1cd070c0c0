package cifvi.engine.internal.cuda;

import cifvi.tensor.Backend;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Kernels compiled by NVRTC for one device, started by the driver on libtorch's current stream: in
 * a capture they become part of the graph.
 */
public final class CudaLauncher implements Launcher {
  private static final int MAX_DYNAMIC_SHARED = 8;
  private static final int FREE_SHARED_BYTES = 48 * 1024;
  private static final int WITHOUT_TIMING = 2;

  /** One a device and sources, for the whole process. */
  private static final Map<String, CudaLauncher> LAUNCHERS = new ConcurrentHashMap<>();

  private final CudaDriver driver = CudaDriver.get();
  private final TorchStreams streams = TorchStreams.get();
  private final int device;
  private final DeviceLimits limits;
  private final List<CudaModule> modules;
  private final long forked;
  private final long joined;
  private final Map<String, Long> functions = new ConcurrentHashMap<>();
  private final Map<String, Integer> sharedLimits = new ConcurrentHashMap<>();

  private CudaLauncher(Backend backend, List<String> sources) {
    device = index(backend);
    driver.use(device);
    limits = driver.limits(device);
    var options = List.of("--gpu-architecture=" + driver.architecture(device), "--std=c++17");
    modules = sources.stream().map(s -> new CudaModule(driver, s, options)).toList();
    forked = driver.result("cuEventCreate", WITHOUT_TIMING);
    joined = driver.result("cuEventCreate", WITHOUT_TIMING);
  }

  /**
   * Begins to compile sources for the backend's device side by side, or finds them compiled
   * already. A launch waits for the source of its kernel alone.
   */
  public static CudaLauncher of(Backend backend, List<String> sources) {
    return LAUNCHERS.computeIfAbsent(
        backend.device() + '\n' + String.join("\n", sources),
        _ -> new CudaLauncher(backend, sources));
  }

  /** What the backend's device has. */
  public static DeviceLimits limits(Backend backend) {
    var driver = CudaDriver.get();
    driver.use(index(backend));
    return driver.limits(index(backend));
  }

  @Override
  public DeviceLimits limits() {
    return limits;
  }

  /** n of {@code cuda:n}. */
  private static int index(Backend backend) {
    String device = backend.device();
    return device.contains(":") ? Integer.parseInt(device.substring(device.indexOf(':') + 1)) : 0;
  }

  @Override
  public void launch(
      String kernel, int blocks, int threads, int sharedBytes, @Nullable Object... arguments) {
    driver.use(device);
    long function = functions.computeIfAbsent(kernel, this::function);
    allowShared(kernel, function, sharedBytes);
    try (var arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(ValueLayout.JAVA_LONG, arguments.length);
      for (int i = 0; i < arguments.length; i++) {
        pointers.setAtIndex(ValueLayout.JAVA_LONG, i, value(arena, arguments[i]).address());
      }
      long stream = streams.current().handle();
      driver.call(
          "cuLaunchKernel",
          function,
          blocks,
          1,
          1,
          threads,
          1,
          1,
          sharedBytes,
          stream,
          pointers.address(),
          0L);
    }
  }

  /** In a capture the second stream becomes part of the graph, too. */
  @Override
  public Runnable beside(Runnable work) {
    driver.use(device);
    var first = streams.current();
    var second = streams.second();
    driver.call("cuEventRecord", forked, first.handle());
    driver.call("cuStreamWaitEvent", second.handle(), forked, 0);
    streams.setCurrent(second);
    try {
      work.run();
    } finally {
      streams.setCurrent(first);
    }
    driver.call("cuEventRecord", joined, second.handle());
    return () -> driver.call("cuStreamWaitEvent", streams.current().handle(), joined, 0);
  }

  /** An argument in the memory of the host, where the driver looks for it. */
  public static MemorySegment value(Arena arena, @Nullable Object argument) {
    return switch (argument) {
      case null -> arena.allocateFrom(ValueLayout.JAVA_LONG, 0L);
      case Tensor tensor -> arena.allocateFrom(ValueLayout.JAVA_LONG, address(tensor));
      case Long value -> arena.allocateFrom(ValueLayout.JAVA_LONG, value);
      case Integer value -> arena.allocateFrom(ValueLayout.JAVA_INT, value);
      case Float value -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, value);
      case Double value -> arena.allocateFrom(ValueLayout.JAVA_DOUBLE, value);
      case List<?> tensors -> {
        long[] addresses = tensors.stream().mapToLong(t -> address((@Nullable Tensor) t)).toArray();
        yield arena.allocateFrom(ValueLayout.JAVA_LONG, addresses);
      }
      default ->
          throw new IllegalArgumentException(
              "argument: expected a Tensor, Long, Integer, Float, Double or List, got " + argument);
    };
  }

  private static long address(@Nullable Tensor tensor) {
    return tensor == null ? 0 : tensor.data_ptr().address();
  }

  private long function(String kernel) {
    return Stream.concat(
            modules.stream().filter(module -> module.mentions(kernel)),
            modules.stream().filter(module -> !module.mentions(kernel)))
        .flatMap(module -> module.function(kernel).stream().boxed())
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("kernel: " + kernel + " is in none of the sources"));
  }

  /** More than 48 KB of shared memory must be asked for. */
  private void allowShared(String kernel, long function, int bytes) {
    if (bytes > sharedLimits.getOrDefault(kernel, FREE_SHARED_BYTES)) {
      driver.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, bytes);
      sharedLimits.put(kernel, bytes);
    }
  }
}
