package cifvi.engine.internal.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The kernels of one source, on the device from the time that one of them is asked for. */
final class CudaModule {
  private final CudaDriver driver;
  private final String source;
  private final Supplier<byte[]> cubin;
  private OptionalLong module = OptionalLong.empty();

  /** Begins to compile it. */
  CudaModule(CudaDriver driver, String source, List<String> options) {
    this.driver = driver;
    this.source = source;
    cubin = Compilation.begin(source, options);
  }

  /** Whether its text may have the kernel; a function of that name makes the same impression. */
  boolean mentions(String kernel) {
    return source.contains(" " + kernel + "(");
  }

  /** The kernel, for the current device; waits until the source is compiled. */
  synchronized OptionalLong function(String kernel) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      long name = arena.allocateFrom(kernel).address();
      return driver.found("cuModuleGetFunction", out.address(), loaded(), name)
          ? OptionalLong.of(out.get(ValueLayout.JAVA_LONG, 0))
          : OptionalLong.empty();
    }
  }

  private long loaded() {
    if (module.isEmpty()) {
      try (var arena = Arena.ofConfined()) {
        long image = arena.allocateFrom(ValueLayout.JAVA_BYTE, cubin.get()).address();
        module = OptionalLong.of(driver.result("cuModuleLoadData", image));
      }
    }
    return module.getAsLong();
  }
}
