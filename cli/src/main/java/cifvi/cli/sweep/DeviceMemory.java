package cifvi.cli.sweep;

import cifvi.experiments.files.UserException;
import cifvi.tensor.CudaDevice;
import cifvi.tensor.CudaProbe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The memory of GPUs: what to say where it is full, and how several processes share it. */
public final class DeviceMemory {
  /** Variables of libtorch's allocator; whoever sets one wants no other limit. */
  private static final String SETTINGS = "PYTORCH_CUDA_ALLOC_CONF";

  private static final String OTHER_SETTINGS = "PYTORCH_ALLOC_CONF";

  private static final long MIB = 1 << 20;

  /** What the driver, cuBLAS and cuDNN take for each process besides tensors. */
  private static final long CONTEXT = 700 * MIB;

  /** Tensors of the smallest models. */
  private static final long LEAST = 300 * MIB;

  /** The first words of libtorch and of the driver, then how much there is, if it says so. */
  private static final Pattern FULL =
      Pattern.compile(
          "CUDA (?:out of memory|error: out of memory)\\.?\\s*"
              + "(Tried to allocate [^\\n]*? is free)?.*",
          Pattern.DOTALL);

  private DeviceMemory() {}

  /** One line for an exception that means the memory is full; empty for any other. */
  public static Optional<String> explain(Exception e) {
    var matcher = FULL.matcher(String.valueOf(e.getMessage()));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String details = matcher.group(1) == null ? "" : " (" + matcher.group(1) + ")";
    return Optional.of(
        "the memory of the GPU is full"
            + details
            + ": use a smaller --batch, --samples or --chunk, fewer --jobs or --device cpu;"
            + " a run that had begun is saved: cifvi resume DIR");
  }

  /**
   * What a process is told, so that {@code jobs} of them fit on the devices: an equal part of what
   * is free.
   */
  public static Map<String, String> share(Set<String> devices, int jobs) {
    if (System.getenv(SETTINGS) != null || System.getenv(OTHER_SETTINGS) != null) {
      return Map.of();
    }
    List<CudaDevice> used =
        CudaProbe.devices().stream().filter(device -> isAmong(device, devices)).toList();
    return used.stream().mapToDouble(device -> fraction(device, jobs)).min().stream()
        .mapToObj(f -> "per_process_memory_fraction:" + String.format(Locale.ROOT, "%.4f", f))
        .findFirst()
        .map(value -> Map.of(SETTINGS, value))
        .orElse(Map.of());
  }

  private static boolean isAmong(CudaDevice device, Set<String> names) {
    return names.contains("cuda:" + device.index())
        || (device.index() == 0 && names.contains("cuda"));
  }

  /** Of the device's memory, for the tensors of one process. */
  public static double fraction(CudaDevice device, int jobs) {
    long free = device.freeBytes().orElse(device.totalBytes());
    long share = free / jobs - CONTEXT;
    if (share < LEAST) {
      long most = free / (CONTEXT + LEAST);
      throw new UserException(
          "--jobs %d: cuda:%d has %d MiB free, and each process needs at least %d: %s"
              .formatted(
                  jobs,
                  device.index(),
                  free / MIB,
                  (CONTEXT + LEAST) / MIB,
                  most == 0
                      ? "wait until other programs are done, or use --device cpu"
                      : "use --jobs " + most + " or less"));
    }
    return (double) share / device.totalBytes();
  }

  /** Whether processes can compute on a device at the same time, and not only by turns. */
  public static boolean isShared() {
    String named = System.getenv("CUDA_MPS_PIPE_DIRECTORY");
    Path folder =
        named == null
            ? Path.of(System.getProperty("java.io.tmpdir"), "nvidia-mps")
            : Path.of(named);
    return Files.exists(folder.resolve("control"));
  }
}
