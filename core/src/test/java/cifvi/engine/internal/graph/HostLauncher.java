package cifvi.engine.internal.graph;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.engine.internal.cuda.CudaLauncher;
import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.cuda.Launcher;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs CUDA kernels on the processor: g++ compiles the very same source behind {@code host.h}, and
 * tensors of the CPU are its device memory.
 */
public final class HostLauncher implements Launcher {
  /** Kernels that use matrix units, which are a warp's: blocks have all their threads. */
  private static final Set<String> WHOLE =
      Set.of("convolve_planes", "decode_images", "decode_images_back", "convolution_gradients");

  private final Supplier<Map<String, MethodHandle>> kernels;
  private final int threads;
  private final boolean descending;
  private final DeviceLimits limits;
  private final Map<String, Integer> launches = new HashMap<>();

  private HostLauncher(
      Supplier<Map<String, MethodHandle>> kernels,
      int threads,
      boolean descending,
      DeviceLimits limits) {
    this.limits = limits;
    this.kernels = kernels;
    this.threads = threads;
    this.descending = descending;
  }

  /** Whether there is a g++ to compile with. */
  public static boolean available() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Stream.of(path.split(":")).anyMatch(p -> Files.isExecutable(Path.of(p, "g++")));
  }

  /**
   * Kernels of a source, in blocks of one thread. They are compiled when the first is started,
   * which skips the test where there is no g++: tests on a device need none and wait for none.
   */
  static HostLauncher of(String source, String... names) {
    return new HostLauncher(new Lazy(() -> compile(source, names)), 1, false, Devices.H200);
  }

  private static final class Lazy implements Supplier<Map<String, MethodHandle>> {
    private final Supplier<Map<String, MethodHandle>> compiler;
    private @Nullable Map<String, MethodHandle> kernels;

    Lazy(Supplier<Map<String, MethodHandle>> compiler) {
      this.compiler = compiler;
    }

    @Override
    public Map<String, MethodHandle> get() {
      if (kernels == null) {
        kernels = compiler.get();
      }
      return kernels;
    }
  }

  @SuppressWarnings("restricted")
  private static Map<String, MethodHandle> compile(String source, String... names) {
    assumeTrue(available(), "no g++ on the path");
    try {
      Path folder = Files.createTempDirectory("cifvi-host");
      Path code = folder.resolve("kernels.cpp");
      Path library = folder.resolve("kernels.so");
      var text = new StringBuilder(read("host.h")).append(source).append('\n');
      Stream.of(names).forEach(name -> text.append("KERNEL(").append(name).append(")\n"));
      Files.writeString(code, text);
      run(
          List.of(
              "g++",
              "-std=c++17",
              "-O2",
              "-march=native", // with fused multiply-adds as on a GPU, where the processor has them
              "-Wall",
              "-Wno-unknown-pragmas",
              "-Wno-unused-function",
              "-shared",
              "-fPIC",
              "-o",
              library.toString(),
              code.toString()));
      var symbols = SymbolLookup.libraryLookup(library, Arena.global());
      var type = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
      Map<String, MethodHandle> kernels = new HashMap<>();
      for (String name : names) {
        MemorySegment symbol = symbols.findOrThrow("launch_" + name);
        kernels.put(name, Linker.nativeLinker().downcallHandle(symbol, type));
      }
      Files.delete(code);
      Files.delete(library);
      Files.delete(folder);
      return kernels;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same kernels with so many threads a block, in this or the other order. */
  HostLauncher with(int threads, boolean descending) {
    return new HostLauncher(kernels, threads, descending, limits);
  }

  /** The same kernels, cut as for another device. */
  HostLauncher on(DeviceLimits limits) {
    return new HostLauncher(kernels, threads, descending, limits);
  }

  @Override
  public DeviceLimits limits() {
    return limits;
  }

  /** Whether it is one of these kernels. */
  boolean has(String kernel) {
    return kernels.get().containsKey(kernel);
  }

  /** How often every kernel was started. */
  Map<String, Integer> launches() {
    return launches;
  }

  @Override
  public void launch(
      String kernel, int blocks, int threads, int sharedBytes, @Nullable Object... arguments) {
    if (sharedBytes > limits.blockShared() || threads > 1024 || blocks < 1) {
      throw new IllegalArgumentException(
          kernel + ": " + blocks + " blocks of " + threads + " threads, " + sharedBytes + " bytes");
    }
    launches.merge(kernel, 1, Integer::sum);
    try (var arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(ADDRESS, arguments.length);
      for (int i = 0; i < arguments.length; i++) {
        pointers.setAtIndex(ADDRESS, i, CudaLauncher.value(arena, arguments[i]));
      }
      int own = WHOLE.contains(kernel) ? threads : Math.min(this.threads, threads);
      int result =
          (int)
              Objects.requireNonNull(kernels.get().get(kernel))
                  .invokeExact(blocks, own, sharedBytes, descending ? 1 : 0, pointers);
      if (result != 0) {
        throw new IllegalStateException(
            kernel
                + (result == 1
                    ? ": threads of a block miss a barrier"
                    : ": writes behind its shared memory"));
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static String read(String file) throws IOException {
    try (InputStream in = HostLauncher.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IllegalStateException(output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
