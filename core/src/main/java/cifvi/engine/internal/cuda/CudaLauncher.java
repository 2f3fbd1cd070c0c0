package cifvi.engine.internal.cuda;

import cifvi.tensor.Backend;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

  /** One a device and source, for the whole process. */
  private static final Map<String, CudaLauncher> LAUNCHERS = new ConcurrentHashMap<>();

  private final CudaDriver driver = CudaDriver.get();
  private final TorchStreams streams = TorchStreams.get();
  private final int device;
  private final DeviceLimits limits;
  private final long module;
  private final long forked;
  private final long joined;
  private final Map<String, Long> functions = new ConcurrentHashMap<>();
  private final Map<String, Integer> sharedLimits = new ConcurrentHashMap<>();

  private CudaLauncher(Backend backend, String source) {
    device = index(backend);
    driver.use(device);
    limits = driver.limits(device);
    var nvrtc = Nvrtc.get();
    var options = List.of("--gpu-architecture=" + driver.architecture(device), "--std=c++17");
    String key = nvrtc.version() + options + source;
    byte[] cubin = CubinCache.ofUser().get(key, () -> nvrtc.compile(source, options));
    try (var arena = Arena.ofConfined()) {
      long image = arena.allocateFrom(ValueLayout.JAVA_BYTE, cubin).address();
      module = driver.result("cuModuleLoadData", image);
    }
    forked = driver.result("cuEventCreate", WITHOUT_TIMING);
    joined = driver.result("cuEventCreate", WITHOUT_TIMING);
  }

  /** Compiles {@code source} for the backend's device, or finds it compiled already. */
  public static CudaLauncher of(Backend backend, String source) {
    return LAUNCHERS.computeIfAbsent(
        backend.device() + '\n' + source, _ -> new CudaLauncher(backend, source));
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
    try (var arena = Arena.ofConfined()) {
      return driver.result("cuModuleGetFunction", module, arena.allocateFrom(kernel).address());
    }
  }

  /** More than 48 KB of shared memory must be asked for. */
  private void allowShared(String kernel, long function, int bytes) {
    if (bytes > sharedLimits.getOrDefault(kernel, FREE_SHARED_BYTES)) {
      driver.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, bytes);
      sharedLimits.put(kernel, bytes);
    }
  }
}
