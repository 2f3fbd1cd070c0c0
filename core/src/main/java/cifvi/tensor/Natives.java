package cifvi.tensor;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;

/**
 * The native libraries of libtorch: finds them in the jars or in {@code java.library.path}, and
 * opens them.
 *
 * <p>There are two builds. The one for GPUs needs the libraries of the CUDA toolkit; it is opened
 * where those and a driver are there, otherwise the plain one if that is on the class path too.
 *
 * <p>Every library is extracted before the first is opened, and each is opened by its full path
 * before one that needs it: otherwise the libraries of the other build or of another installation,
 * found in the cache's place or through {@code LD_LIBRARY_PATH}, would be mixed in and crash the
 * JVM. That is Linux; elsewhere there is one build, whose libraries JavaCPP opens by itself.
 */
final class Natives {
  /** The driver, which comes with the system and not with the toolkit. */
  static final String DRIVER = "libcuda.so.1";

  /** Of the CUDA toolkit, by JavaCPP's names, in the order in which they need each other. */
  private static final List<String> TOOLKIT =
      List.of(
          "cudart@.13",
          "cupti@.13",
          "cublasLt@.13",
          "cublas@.13",
          "nvJitLink@.13",
          "cusparse@.12",
          "cusolver@.12",
          "cufft@.12",
          "curand@.10",
          "cufile@.0",
          "nccl@.2",
          "cudnn@.9");

  private static final String REMEDY =
      "install CUDA 13 with cuDNN 9 and NCCL (such as pip install nvidia-cudnn-cu13 and its like)"
          + " and name their folders in CIFVI_CUDA_PATH";

  /** In the order in which they need each other; the last is opened by JavaCPP itself. */
  private static final List<String> CPU =
      List.of("gomp@.1", "c10", "torch_cpu", "torch", "jnitorch");

  /** Likewise; libtorch opens {@code torch_cuda_linalg} itself, once it is needed. */
  private static final List<String> GPU =
      List.of(
          "gomp@.1",
          "c10",
          "torch_cpu",
          "c10_cuda",
          "torch_cuda",
          "torch_cuda_linalg",
          "torch",
          "jnitorch");

  private static final List<String> NOT_OPENED = List.of("torch_cuda_linalg", "jnitorch");

  private Natives() {}

  /**
   * What was opened.
   *
   * @param gpu whether it can use a GPU
   * @param why the plain build runs although the one for GPUs is there, or empty
   */
  record Build(boolean gpu, String why) {}

  /** Opens the build that can run here. */
  static Build open() {
    NativeCache.folder();
    if (find("torch_cuda", true).isEmpty()) {
      if (find("torch_cpu", false).isEmpty()) {
        throw new DeviceException(
            Platform.lacking(System.getProperty("os.name"), System.getProperty("os.arch")));
      }
      return open(false, "");
    }
    Optional<String> missing = missing();
    if (missing.isEmpty()) {
      return open(true, "");
    }
    if (inJars("torch_cpu", false).isPresent() && !fromFolders()) {
      return open(false, missing.get());
    }
    if (missing.get().startsWith(DRIVER)) { // the toolkit suffices to open it
      missing = absent();
    }
    if (missing.isPresent()) {
      throw new DeviceException("libtorch for GPUs cannot be opened: " + missing.get());
    }
    return open(true, "");
  }

  /** Which library the build for GPUs lacks to be of use, and what helps. */
  private static Optional<String> missing() {
    return canOpen(DRIVER)
        ? absent()
        : Optional.of(DRIVER + " is missing: install the NVIDIA driver");
  }

  private static Optional<String> absent() {
    return TOOLKIT.stream()
        .map(Natives::fileName)
        .filter(file -> !canOpen(file))
        .findFirst()
        .map(file -> file + " is missing: " + REMEDY);
  }

  /** Opens a system library for good, by its name, where there is such. */
  @SuppressWarnings("restricted") // loading a library is what this class is for
  static boolean canOpen(String library) {
    try {
      SymbolLookup.libraryLookup(library, Arena.global());
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static Build open(boolean gpu, String why) {
    System.setProperty("org.bytedeco.javacpp.platform.extension", gpu ? "-gpu" : "");
    Loader.loadProperties(true);
    Loader.load(openblas_nolapack.class);
    if (gpu) {
      keepToolkit();
    }
    if (Loader.getPlatform().startsWith("linux")) {
      openInOrder(gpu);
    }
    Loader.load(torch.class);
    return new Build(gpu, why);
  }

  @SuppressWarnings("restricted")
  private static void openInOrder(boolean gpu) {
    List<String> names = gpu ? GPU : CPU;
    List<Optional<File>> files = names.stream().map(name -> find(name, gpu)).toList();
    for (int i = 0; i < files.size(); i++) {
      if (!NOT_OPENED.contains(names.get(i))) {
        files.get(i).ifPresent(file -> System.load(file.getAbsolutePath()));
      }
    }
  }

  /** Tells JavaCPP which libraries are open, or it would open those of /usr/local/cuda besides. */
  private static void keepToolkit() {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      List<Path> open =
          maps.filter(line -> line.contains("/"))
              .map(line -> Path.of(line.substring(line.indexOf('/'))))
              .distinct()
              .toList();
      for (String library : TOOLKIT) {
        for (Path file : open) {
          if (String.valueOf(file.getFileName()).startsWith(fileName(library))) {
            Loader.loadLibrary(Natives.class, new URL[] {file.toUri().toURL()}, library);
          }
        }
      }
    } catch (IOException _) {
      // no Linux: JavaCPP finds them itself
    }
  }

  /** Whether all libraries lie in folders, since there are no jars of them. */
  private static boolean fromFolders() {
    return Boolean.getBoolean("org.bytedeco.javacpp.pathsFirst");
  }

  /** A library in the folders of {@code java.library.path}, or extracted from the jars. */
  private static Optional<File> find(String library, boolean gpu) {
    return (fromFolders() ? inPath(library) : Optional.<File>empty())
        .or(() -> inJars(library, gpu).map(Natives::extract));
  }

  private static Optional<File> inPath(String library) {
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(System.getProperty("java.library.path", ""))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, fileName(library)).toFile())
        .filter(File::isFile)
        .findFirst();
  }

  private static Optional<URL> inJars(String library, boolean gpu) {
    String folder = "/org/bytedeco/pytorch/" + Loader.getPlatform() + (gpu ? "-gpu/" : "/");
    try {
      return Optional.ofNullable(Loader.findResource(torch.class, folder + fileName(library)));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static File extract(URL resource) {
    try {
      return Loader.cacheResource(resource);
    } catch (IOException e) {
      throw new DeviceException(
          "cannot extract %s to the native cache %s: %s"
              .formatted(
                  resource.getPath().replaceFirst(".*/", ""), NativeCache.folder(), e.getMessage()),
          e);
    }
  }

  /** {@code libgomp.so.1} for JavaCPP's {@code gomp@.1}. */
  private static String fileName(String library) {
    String[] parts = library.split("@", 2);
    return System.mapLibraryName(parts[0]) + (parts.length == 2 ? parts[1] : "");
  }
}
