package cifvi.engine.internal.cuda;

import cifvi.tensor.internal.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** NVIDIA's run-time compiler of CUDA source; needs no GPU and no driver. */
public final class Nvrtc {
  private static final String PROPERTY = "cifvi.nvrtc";
  private static final Map<String, String> SIGNATURES =
      Map.of(
          "nvrtcVersion", "ll",
          "nvrtcCreateProgram", "lllill",
          "nvrtcCompileProgram", "lil",
          "nvrtcDestroyProgram", "l",
          "nvrtcGetCUBINSize", "ll",
          "nvrtcGetCUBIN", "ll",
          "nvrtcGetProgramLogSize", "ll",
          "nvrtcGetProgramLog", "ll");

  /** Opened at first use. */
  private static final class Holder {
    static final Optional<SymbolLookup> LIBRARY =
        CLibrary.open(
            System.getProperty(PROPERTY, "libnvrtc.so.13"),
            "libnvrtc.so.13",
            "/usr/local/cuda/lib64/libnvrtc.so.13",
            "libnvrtc.so.12",
            "libnvrtc.so");
  }

  private final CLibrary library;

  private Nvrtc(SymbolLookup symbols) {
    library = new CLibrary(symbols, SIGNATURES);
  }

  public static Optional<Nvrtc> find() {
    return Holder.LIBRARY.map(Nvrtc::new);
  }

  public static Nvrtc get() {
    return find()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "libnvrtc.so.13 is not found: install the CUDA 13 toolkit, add its folder to"
                        + " LD_LIBRARY_PATH, or start Java with -D"
                        + PROPERTY
                        + "=/path/to/libnvrtc.so.13"));
  }

  /** For instance {@code 13.0}. */
  public String version() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
      check("nvrtcVersion", numbers.address(), numbers.address() + Integer.BYTES);
      return numbers.getAtIndex(ValueLayout.JAVA_INT, 0)
          + "."
          + numbers.getAtIndex(ValueLayout.JAVA_INT, 1);
    }
  }

  /**
   * Machine code for one architecture, given by {@code --gpu-architecture=sm_XY} among the options.
   *
   * @throws CompilationException with the compiler's messages where the source has errors
   */
  public byte[] compile(String source, List<String> options) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
      long text = arena.allocateFrom(source).address();
      long name = arena.allocateFrom("cifvi.cu").address();
      check("nvrtcCreateProgram", handle.address(), text, name, 0, 0L, 0L);
      long program = handle.get(ValueLayout.JAVA_LONG, 0);
      try {
        MemorySegment list = arena.allocate(ValueLayout.ADDRESS, options.size());
        for (int i = 0; i < options.size(); i++) {
          list.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(options.get(i)));
        }
        int status = library.call("nvrtcCompileProgram", program, options.size(), list.address());
        if (status != 0) {
          byte[] log = bytes(arena, program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
          throw new CompilationException(
              "NVRTC cannot compile the kernels with " + options + ":\n" + text(log));
        }
        return bytes(arena, program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN");
      } finally {
        check("nvrtcDestroyProgram", handle.address());
      }
    }
  }

  private byte[] bytes(Arena arena, long program, String size, String get) {
    MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
    check(size, program, count.address());
    MemorySegment data = arena.allocate(count.get(ValueLayout.JAVA_LONG, 0));
    check(get, program, data.address());
    return data.toArray(ValueLayout.JAVA_BYTE);
  }

  private static String text(byte[] log) {
    return new String(log, StandardCharsets.UTF_8).replace("\0", "").strip();
  }

  private void check(String function, Object... arguments) {
    int status = library.call(function, arguments);
    if (status != 0) {
      throw new IllegalStateException("NVRTC: " + function + " failed with status " + status);
    }
  }
}
