package cifvi.tensor;

import java.io.IOException;
import java.util.Optional;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads libtorch, once, and sets its threads. */
public final class Torch {
  private static final Logger log = LoggerFactory.getLogger(Torch.class);

  private static final Natives.@Nullable Build BUILD;
  private static final @Nullable DeviceException FAILURE;

  static {
    // Without this JavaCPP counts the whole process against the Java heap and may stop a healthy
    // run.
    if (System.getProperty("org.bytedeco.javacpp.maxPhysicalBytes") == null) {
      System.setProperty("org.bytedeco.javacpp.maxPhysicalBytes", "0");
    }
    Natives.@Nullable Build build = null;
    @Nullable DeviceException failure = null;
    try {
      build = Natives.open();
      warnUnlessSet("OPENBLAS_NUM_THREADS", "1");
      warnUnlessSet("OMP_WAIT_POLICY", "passive");
      torch.set_num_threads(1); // one thread beats two for the small matrices of a flow
      setTf32(false);
    } catch (DeviceException e) {
      failure = e;
    } catch (UnsatisfiedLinkError e) {
      failure = new DeviceException("libtorch cannot be opened: " + e.getMessage(), e);
    }
    BUILD = build;
    FAILURE = failure;
  }

  private Torch() {}

  /**
   * Makes libtorch usable; cheap after the first call.
   *
   * @throws DeviceException where its libraries cannot be opened
   */
  public static void load() {
    var _ = build();
  }

  private static Natives.Build build() {
    if (BUILD == null) {
      throw FAILURE == null ? new DeviceException("libtorch cannot be opened") : FAILURE;
    }
    return BUILD;
  }

  /** Sets the number of threads inside one libtorch operation. */
  public static void threads(int threads) {
    load();
    if (threads < 1) {
      throw new IllegalArgumentException("threads: expected at least 1, got " + threads);
    }
    torch.set_num_threads(threads);
  }

  public static int threads() {
    load();
    return torch.get_num_threads();
  }

  /** Whether a CUDA device can be used by the libtorch that was loaded. */
  public static boolean hasCuda() {
    return cudaObstacle().isEmpty();
  }

  /** Why no CUDA device can be used, and what helps; empty where one can. */
  public static Optional<String> cudaObstacle() {
    Natives.Build build = build();
    if (!build.gpu()) {
      return Optional.of(
          build.why().isEmpty()
              ? "libtorch here is the build for the CPU: start once with CIFVI_CUDA=1"
              : build.why());
    }
    return cudaDevices() > 0
        ? Optional.empty()
        : Optional.of("libtorch sees no CUDA device: look at nvidia-smi and CUDA_VISIBLE_DEVICES");
  }

  /** The number of CUDA devices that libtorch sees. */
  public static int cudaDevices() {
    return build().gpu() && torch.cuda_is_available() ? torch.cuda_device_count() : 0;
  }

  /** Whether libtorch's build for GPUs was loaded. */
  public static boolean gpuBuild() {
    return build().gpu();
  }

  /**
   * Whether float32 products on a GPU may round their inputs to 10 bits (TF32), which they do not
   * unless told so.
   */
  public static void tf32(boolean allowed) {
    load();
    setTf32(allowed);
  }

  /** Convolutions use one fixed algorithm either way, so that equal runs give equal bits. */
  private static void setTf32(boolean allowed) {
    var context = torch.globalContext();
    context.setAllowTF32CuBLAS(allowed);
    context.setAllowTF32CuDNN(allowed);
    context.setBenchmarkCuDNN(false);
    context.setDeterministicCuDNN(true);
  }

  /** The version of libtorch and of its Java binding, for instance {@code 2.10.0-1.5.13}. */
  public static String version() throws IOException {
    return Loader.getVersion("org.bytedeco", "pytorch");
  }

  /** The vectors that libtorch's kernels are for here: {@code AVX512}, {@code AVX2} or default. */
  public static String cpuCapability() {
    load();
    return torch.get_cpu_capability().getString();
  }

  private static void warnUnlessSet(String variable, String value) {
    if (System.getenv(variable) == null) {
      log.warn(
          "{} is not set: spinning threads can slow small models tenfold. Start with {}={}",
          variable,
          variable,
          value);
    }
  }
}
