package cifvi.tensor;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What the NVIDIA driver says of itself and its devices. Asks the driver and its management library
 * only: neither libtorch nor the CUDA toolkit is needed, and no memory of a device is used.
 */
public final class CudaProbe {
  private static final String DRIVER = "libcuda.so.1";
  private static final String MANAGEMENT = "libnvidia-ml.so.1";
  private static final String COMPILER = "libnvrtc.so.13";

  private static final int TEXT_BYTES = 256;
  private static final int CAPABILITY_MAJOR = 75;
  private static final int CAPABILITY_MINOR = 76;

  private CudaProbe() {}

  /** A library's functions, all of which return 0 for success. */
  private record Library(SymbolLookup symbols) {
    /** Empty where there is no such library. */
    @SuppressWarnings("restricted") // the names are those of NVIDIA's libraries
    static Optional<Library> open(String name) {
      try {
        return Optional.of(new Library(SymbolLookup.libraryLookup(name, Arena.global())));
      } catch (IllegalArgumentException _) {
        return Optional.empty();
      }
    }

    /** Whether the function is there and succeeds; arguments are integers and addresses. */
    @SuppressWarnings("restricted") // arguments as the headers declare them
    boolean call(String function, Object... arguments) {
      var symbol = symbols.find(function);
      if (symbol.isEmpty()) {
        return false;
      }
      MemoryLayout[] layouts =
          Arrays.stream(arguments)
              .map(a -> a instanceof Integer ? ValueLayout.JAVA_INT : ValueLayout.ADDRESS)
              .toArray(MemoryLayout[]::new);
      var descriptor = FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts);
      var handle = Linker.nativeLinker().downcallHandle(symbol.get(), descriptor);
      try {
        return (int) handle.invokeWithArguments(arguments) == 0;
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(function, e);
      }
    }

    /** A whole number that a function writes to its first argument. */
    OptionalLong number(String function, Object... arguments) {
      try (var arena = Arena.ofConfined()) {
        MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
        return call(function, prepend(out, arguments))
            ? OptionalLong.of(out.get(ValueLayout.JAVA_LONG, 0))
            : OptionalLong.empty();
      }
    }

    /** A text that a function writes to its first argument, whose size is the second. */
    Optional<String> text(String function, Object... arguments) {
      try (var arena = Arena.ofConfined()) {
        MemorySegment out = arena.allocate(TEXT_BYTES);
        return call(function, prepend(out, prepend(TEXT_BYTES, arguments)))
            ? Optional.of(out.getString(0))
            : Optional.empty();
      }
    }

    private static Object[] prepend(Object first, Object[] rest) {
      Object[] all = new Object[rest.length + 1];
      all[0] = first;
      System.arraycopy(rest, 0, all, 1, rest.length);
      return all;
    }
  }

  /** For instance {@code 580.159.03, CUDA 13.0}; empty where there is no driver. */
  public static Optional<String> version() {
    return Library.open(DRIVER)
        .map(
            driver -> {
              long cuda = driver.number("cuDriverGetVersion").orElse(0);
              String name =
                  management().flatMap(m -> m.text("nvmlSystemGetDriverVersion")).orElse("unknown");
              return name + ", CUDA " + cuda / 1000 + "." + cuda % 1000 / 10;
            });
  }

  /** The devices this process may use; none where there is no driver. */
  public static List<CudaDevice> devices() {
    return Library.open(DRIVER)
        .filter(driver -> driver.call("cuInit", 0))
        .map(
            driver ->
                IntStream.range(0, (int) driver.number("cuDeviceGetCount").orElse(0))
                    .mapToObj(index -> device(driver, index))
                    .toList())
        .orElse(List.of());
  }

  private static CudaDevice device(Library driver, int index) {
    int handle = (int) driver.number("cuDeviceGet", index).orElse(index);
    return new CudaDevice(
        index,
        driver.text("cuDeviceGetName", handle).orElse("unknown"),
        attribute(driver, CAPABILITY_MAJOR, handle)
            + "."
            + attribute(driver, CAPABILITY_MINOR, handle),
        driver.number("cuDeviceTotalMem_v2", handle).orElse(0),
        driver
            .text("cuDeviceGetPCIBusId", handle)
            .map(CudaProbe::freeBytes)
            .orElse(OptionalLong.empty()));
  }

  private static long attribute(Library driver, int attribute, int handle) {
    return driver.number("cuDeviceGetAttribute", attribute, handle).orElse(0);
  }

  /** The management library counts devices in its own way: the place on the bus is common. */
  private static OptionalLong freeBytes(String bus) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment device = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG, 3); // total, free, used
      return management()
          .filter(m -> m.call("nvmlDeviceGetHandleByPciBusId_v2", arena.allocateFrom(bus), device))
          .filter(
              m -> m.call("nvmlDeviceGetMemoryInfo", device.get(ValueLayout.ADDRESS, 0), memory))
          .map(_ -> OptionalLong.of(memory.getAtIndex(ValueLayout.JAVA_LONG, 1)))
          .orElse(OptionalLong.empty());
    }
  }

  /** The version of the run-time compiler of kernels, {@code 13.0}; empty where it is missing. */
  public static Optional<String> compilerVersion() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
      return Library.open(System.getProperty("cifvi.nvrtc", COMPILER))
          .filter(c -> c.call("nvrtcVersion", numbers, numbers.asSlice(Integer.BYTES)))
          .map(
              _ ->
                  numbers.getAtIndex(ValueLayout.JAVA_INT, 0)
                      + "."
                      + numbers.getAtIndex(ValueLayout.JAVA_INT, 1));
    }
  }

  private static Optional<Library> management() {
    return Library.open(MANAGEMENT).filter(m -> m.call("nvmlInit_v2"));
  }
}
