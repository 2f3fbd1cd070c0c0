package cifvi.engine.internal.cuda;

import cifvi.tensor.internal.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The CUDA driver, {@code libcuda.so.1}: plain C functions that return a status and never throw.
 */
public final class CudaDriver {
  private static final Map<String, String> SIGNATURES =
      Map.ofEntries(
          Map.entry("cuInit", "i"),
          Map.entry("cuDeviceGet", "li"),
          Map.entry("cuDeviceGetAttribute", "lii"),
          Map.entry("cuDevicePrimaryCtxRetain", "li"),
          Map.entry("cuCtxSetCurrent", "l"),
          Map.entry("cuCtxSynchronize", ""),
          Map.entry("cuModuleLoadData", "ll"),
          Map.entry("cuModuleGetFunction", "lll"),
          Map.entry("cuFuncSetAttribute", "lii"),
          Map.entry("cuLaunchKernel", "liiiiiiilll"),
          Map.entry("cuEventCreate", "li"),
          Map.entry("cuEventRecord", "ll"),
          Map.entry("cuStreamWaitEvent", "lli"),
          Map.entry("cuStreamIsCapturing", "ll"),
          Map.entry("cuStreamEndCapture", "ll"),
          Map.entry("cuGraphGetNodes", "lll"),
          Map.entry("cuGraphNodeGetType", "ll"),
          Map.entry("cuGraphInstantiateWithFlags", "lll"),
          Map.entry("cuGraphLaunch", "ll"),
          Map.entry("cuGraphExecDestroy", "l"),
          Map.entry("cuGraphDestroy", "l"),
          Map.entry("cuGetErrorName", "il"));

  // Attributes of a device.
  private static final int MULTIPROCESSORS = 16;
  private static final int MULTIPROCESSOR_SHARED = 81;
  private static final int BLOCK_SHARED = 97; // where a kernel asks for it
  private static final int RESERVED_SHARED = 111;
  private static final int MAJOR = 75;
  private static final int MINOR = 76;
  private static final int FIRST_WITH_MATRIX_UNITS = 8;
  private static final int NONE = -1;

  private static final int NOT_FOUND = 500;

  /** Opened at first use. */
  private static final class Holder {
    static final @Nullable CudaDriver DRIVER =
        CLibrary.open("libcuda.so.1")
            .map(s -> new CudaDriver(new CLibrary(s, SIGNATURES)))
            .orElse(null);
  }

  private final CLibrary library;
  private final ThreadLocal<Integer> used = ThreadLocal.withInitial(() -> NONE);

  private CudaDriver(CLibrary library) {
    this.library = library;
  }

  public static Optional<CudaDriver> find() {
    return Optional.ofNullable(Holder.DRIVER);
  }

  public static CudaDriver get() {
    return find()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "libcuda.so.1 is not found: install the NVIDIA driver, or use the device cpu"));
  }

  /** Calls a function; a status other than success becomes an exception with its name. */
  void call(String function, Object... arguments) {
    if (!found(function, arguments)) {
      throw new IllegalStateException("CUDA: " + function + " failed: " + name(NOT_FOUND));
    }
  }

  /** Calls a function that may find nothing. */
  boolean found(String function, Object... arguments) {
    int status = library.call(function, arguments);
    if (status != 0 && status != NOT_FOUND) {
      throw new IllegalStateException("CUDA: " + function + " failed: " + name(status));
    }
    return status == 0;
  }

  /** Calls a function whose first argument is the address of its result. */
  long result(String function, Object... arguments) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      var all = new Object[arguments.length + 1];
      all[0] = out.address();
      System.arraycopy(arguments, 0, all, 1, arguments.length);
      call(function, all);
      return out.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** Makes the context that libtorch uses the current one of this thread; cheap the next time. */
  void use(int device) {
    if (used.get() != device) {
      call("cuInit", 0);
      call("cuCtxSetCurrent", result("cuDevicePrimaryCtxRetain", handle(device)));
      used.set(device);
    }
  }

  /** For instance {@code sm_90}. */
  String architecture(int device) {
    return "sm_" + attribute(MAJOR, device) + attribute(MINOR, device);
  }

  DeviceLimits limits(int device) {
    return new DeviceLimits(
        attribute(MULTIPROCESSORS, device),
        attribute(BLOCK_SHARED, device),
        attribute(MULTIPROCESSOR_SHARED, device),
        attribute(RESERVED_SHARED, device),
        attribute(MAJOR, device) >= FIRST_WITH_MATRIX_UNITS);
  }

  private int attribute(int attribute, int device) {
    return (int) result("cuDeviceGetAttribute", attribute, handle(device));
  }

  private int handle(int device) {
    return (int) result("cuDeviceGet", device);
  }

  @SuppressWarnings("restricted") // a constant string of the driver
  private String name(int status) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      if (library.call("cuGetErrorName", status, out.address()) != 0) {
        return "error " + status;
      }
      return out.get(ValueLayout.ADDRESS, 0).reinterpret(Long.MAX_VALUE).getString(0);
    }
  }
}
