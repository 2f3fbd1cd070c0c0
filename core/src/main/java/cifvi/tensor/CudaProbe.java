package cifvi.tensor;

import static java.util.Map.entry;

import cifvi.tensor.internal.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the NVIDIA driver says of itself and its devices. Asks the driver and its management library
 * only: neither libtorch nor the CUDA toolkit is needed, and no memory of a device is used.
 */
public final class CudaProbe {
  private static final String DRIVER = "libcuda.so.1";
  private static final String MANAGEMENT = "libnvidia-ml.so.1";
  private static final String COMPILER = "libnvrtc.so.13";

  private static final Map<String, String> SIGNATURES =
      Map.ofEntries(
          entry("cuDriverGetVersion", "l"),
          entry("cuInit", "i"),
          entry("cuDeviceGetCount", "l"),
          entry("cuDeviceGet", "li"),
          entry("cuDeviceGetName", "lii"),
          entry("cuDeviceGetAttribute", "lii"),
          entry("cuDeviceTotalMem_v2", "li"),
          entry("cuDeviceGetPCIBusId", "lii"),
          entry("nvmlInit_v2", ""),
          entry("nvmlSystemGetDriverVersion", "li"),
          entry("nvmlDeviceGetHandleByPciBusId_v2", "ll"),
          entry("nvmlDeviceGetMemoryInfo", "ll"),
          entry("nvrtcVersion", "ll"));

  private static final int TEXT_BYTES = 256;
  private static final int CAPABILITY_MAJOR = 75;
  private static final int CAPABILITY_MINOR = 76;

  private CudaProbe() {}

  private static Optional<CLibrary> open(String name) {
    return CLibrary.open(name).map(symbols -> new CLibrary(symbols, SIGNATURES));
  }

  /** Whether the function is there and succeeds: drivers differ in what they have. */
  private static boolean call(CLibrary library, String function, Object... arguments) {
    return library.has(function) && library.call(function, arguments) == 0;
  }

  /** A whole number that a function writes to its first argument. */
  private static OptionalLong number(CLibrary library, String function, Object... arguments) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      return call(library, function, prepend(out.address(), arguments))
          ? OptionalLong.of(out.get(ValueLayout.JAVA_LONG, 0))
          : OptionalLong.empty();
    }
  }

  /** A text that a function writes to its first argument, whose size is the second. */
  private static Optional<String> text(CLibrary library, String function, Object... arguments) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(TEXT_BYTES);
      return call(library, function, prepend(out.address(), prepend(TEXT_BYTES, arguments)))
          ? Optional.of(out.getString(0))
          : Optional.empty();
    }
  }

  private static Object[] prepend(Object first, Object[] rest) {
    return Stream.concat(Stream.of(first), Arrays.stream(rest)).toArray();
  }

  /** For instance {@code 580.159.03, CUDA 13.0}; empty where there is no driver. */
  public static Optional<String> version() {
    return open(DRIVER)
        .map(
            driver -> {
              long cuda = number(driver, "cuDriverGetVersion").orElse(0);
              String name =
                  management()
                      .flatMap(m -> text(m, "nvmlSystemGetDriverVersion"))
                      .orElse("unknown");
              return name + ", CUDA " + cuda / 1000 + "." + cuda % 1000 / 10;
            });
  }

  /** The devices this process may use; none where there is no driver. */
  public static List<CudaDevice> devices() {
    return open(DRIVER)
        .filter(driver -> call(driver, "cuInit", 0))
        .map(
            driver ->
                IntStream.range(0, (int) number(driver, "cuDeviceGetCount").orElse(0))
                    .mapToObj(index -> device(driver, index))
                    .toList())
        .orElse(List.of());
  }

  private static CudaDevice device(CLibrary driver, int index) {
    int handle = (int) number(driver, "cuDeviceGet", index).orElse(index);
    return new CudaDevice(
        index,
        text(driver, "cuDeviceGetName", handle).orElse("unknown"),
        attribute(driver, CAPABILITY_MAJOR, handle)
            + "."
            + attribute(driver, CAPABILITY_MINOR, handle),
        number(driver, "cuDeviceTotalMem_v2", handle).orElse(0),
        text(driver, "cuDeviceGetPCIBusId", handle)
            .map(CudaProbe::freeBytes)
            .orElse(OptionalLong.empty()));
  }

  private static long attribute(CLibrary driver, int attribute, int handle) {
    return number(driver, "cuDeviceGetAttribute", attribute, handle).orElse(0);
  }

  /** The management library counts devices in its own way: the place on the bus is common. */
  private static OptionalLong freeBytes(String bus) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment device = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG, 3); // total, free, used
      return management()
          .filter(
              m ->
                  call(
                      m,
                      "nvmlDeviceGetHandleByPciBusId_v2",
                      arena.allocateFrom(bus).address(),
                      device.address()))
          .filter(
              m ->
                  call(
                      m,
                      "nvmlDeviceGetMemoryInfo",
                      device.get(ValueLayout.JAVA_LONG, 0),
                      memory.address()))
          .map(_ -> OptionalLong.of(memory.getAtIndex(ValueLayout.JAVA_LONG, 1)))
          .orElse(OptionalLong.empty());
    }
  }

  /** The version of the run-time compiler of kernels, {@code 13.0}; empty where it is missing. */
  public static Optional<String> compilerVersion() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
      return open(System.getProperty("cifvi.nvrtc", COMPILER))
          .filter(
              c -> call(c, "nvrtcVersion", numbers.address(), numbers.address() + Integer.BYTES))
          .map(
              _ ->
                  numbers.getAtIndex(ValueLayout.JAVA_INT, 0)
                      + "."
                      + numbers.getAtIndex(ValueLayout.JAVA_INT, 1));
    }
  }

  private static Optional<CLibrary> management() {
    return open(MANAGEMENT).filter(m -> call(m, "nvmlInit_v2"));
  }
}
