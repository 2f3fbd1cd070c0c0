package cifvi.tensor;

import java.io.IOException;
import java.net.URL;
import java.util.List;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads libtorch, once, and sets its threads.
 *
 * <p>Every native library is extracted before the first is opened: otherwise, with an empty cache,
 * {@code libtorch.so} may find the {@code libtorch_cpu.so} of another installation and crash the
 * JVM.
 */
public final class Torch {
  private static final Logger log = LoggerFactory.getLogger(Torch.class);
  private static final List<String> LIBRARIES =
      List.of("gomp", "c10", "torch_cpu", "torch", "jnitorch");

  static {
    // Without this JavaCPP counts the whole process against the Java heap and may stop a healthy
    // run.
    if (System.getProperty("org.bytedeco.javacpp.maxPhysicalBytes") == null) {
      System.setProperty("org.bytedeco.javacpp.maxPhysicalBytes", "0");
    }
    LIBRARIES.forEach(Torch::extract);
    Loader.load(torch.class);
    warnUnlessSet("OPENBLAS_NUM_THREADS", "1");
    warnUnlessSet("OMP_WAIT_POLICY", "passive");
    torch.set_num_threads(1); // one thread beats two for the small matrices of a flow
  }

  private Torch() {}

  /** Makes libtorch usable; cheap after the first call. */
  public static void load() {}

  /** Sets the number of threads inside one libtorch operation. */
  public static void threads(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads: expected at least 1, got " + threads);
    }
    torch.set_num_threads(threads);
  }

  public static int threads() {
    return torch.get_num_threads();
  }

  /** Whether a CUDA device can be used by the libtorch that was loaded. */
  public static boolean hasCuda() {
    return torch.cuda_is_available();
  }

  /** The version of libtorch and of its Java binding, for instance {@code 2.10.0-1.5.13}. */
  public static String version() throws IOException {
    return Loader.getVersion("org.bytedeco", "pytorch");
  }

  private static void extract(String library) {
    String folder = "/org/bytedeco/pytorch/" + Loader.getPlatform() + "/";
    String file = System.mapLibraryName(library) + (library.equals("gomp") ? ".1" : "");
    try {
      URL resource = Loader.findResource(torch.class, folder + file);
      if (resource != null) { // absent where the libraries lie in java.library.path
        Loader.cacheResource(resource);
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot extract "
              + file
              + " to the native cache "
              + cacheFolder()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static String cacheFolder() {
    return System.getProperty("org.bytedeco.javacpp.cachedir", "~/.javacpp/cache");
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
