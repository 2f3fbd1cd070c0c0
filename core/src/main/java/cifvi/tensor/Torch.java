package cifvi.tensor;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads libtorch, once, and sets its threads.
 *
 * <p>Every native library is extracted before the first is opened, and each is opened by its full
 * path before one that needs it: otherwise the libraries of another installation, found in the
 * cache's place or through {@code LD_LIBRARY_PATH}, would be mixed in and crash the JVM.
 */
public final class Torch {
  private static final Logger log = LoggerFactory.getLogger(Torch.class);

  /** In the order in which they need each other; the last is opened by JavaCPP itself. */
  private static final List<String> LIBRARIES =
      List.of("gomp", "c10", "torch_cpu", "torch", "jnitorch");

  static {
    // Without this JavaCPP counts the whole process against the Java heap and may stop a healthy
    // run.
    if (System.getProperty("org.bytedeco.javacpp.maxPhysicalBytes") == null) {
      System.setProperty("org.bytedeco.javacpp.maxPhysicalBytes", "0");
    }
    loadLibraries();
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

  @SuppressWarnings("restricted") // loading a library is what this class is for
  private static void loadLibraries() {
    Loader.load(openblas_nolapack.class);
    var files = LIBRARIES.stream().map(Torch::extract).flatMap(Optional::stream).toList();
    files.stream()
        .filter(file -> !file.getName().contains("jnitorch"))
        .forEach(file -> System.load(file.getAbsolutePath()));
    Loader.load(torch.class);
  }

  /** Empty where the jars hold no such library, since all lie in {@code java.library.path}. */
  private static Optional<File> extract(String library) {
    String folder = "/org/bytedeco/pytorch/" + Loader.getPlatform() + "/";
    String name = System.mapLibraryName(library) + (library.equals("gomp") ? ".1" : "");
    try {
      URL resource = Loader.findResource(torch.class, folder + name);
      return resource == null ? Optional.empty() : Optional.of(Loader.cacheResource(resource));
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot extract "
              + name
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
