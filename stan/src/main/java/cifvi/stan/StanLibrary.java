package cifvi.stan;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The functions of BridgeStan's C interface (version 2) in a library, which stays in memory until
 * the process ends: threads may have state in it. Flags are C's {@code bool}, one byte.
 *
 * <p>Libraries without STAN_THREADS have one autodiff tape for the whole process, which C++ shares
 * even between libraries: all calls into any of them go under one lock.
 */
final class StanLibrary {
  /** Of all libraries without STAN_THREADS. */
  static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

  private static final Linker LINKER = Linker.nativeLinker();

  /** The longest text that is read: names of a million numbers are shorter. */
  private static final long LONGEST = 1L << 30;

  private final Path path;
  private final String hash;
  private final SymbolLookup symbols;

  final MethodHandle construct;
  final MethodHandle destruct;
  final MethodHandle freeMessage;
  final MethodHandle name;
  final MethodHandle info;
  final MethodHandle parameterNames;
  final MethodHandle unconstrainedNames;
  final MethodHandle unconstrainedNumber;
  final MethodHandle constrain;
  final MethodHandle unconstrain;
  final MethodHandle gradient;
  final MethodHandle newRng;
  final MethodHandle deleteRng;

  /**
   * @param path of the library as it was given
   * @param hash of its content
   */
  StanLibrary(Path path, String hash, SymbolLookup symbols) {
    this.path = path;
    this.hash = hash;
    this.symbols = symbols;
    requireVersion();
    construct = function("bs_model_construct", ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
    destruct = procedure("bs_model_destruct");
    freeMessage = procedure("bs_free_error_msg");
    name = function("bs_name", ADDRESS, ADDRESS);
    info = function("bs_model_info", ADDRESS, ADDRESS);
    parameterNames = function("bs_param_names", ADDRESS, ADDRESS, JAVA_BOOLEAN, JAVA_BOOLEAN);
    unconstrainedNames = function("bs_param_unc_names", ADDRESS, ADDRESS);
    unconstrainedNumber = function("bs_param_unc_num", JAVA_INT, ADDRESS);
    constrain =
        function(
            "bs_param_constrain",
            JAVA_INT,
            ADDRESS,
            JAVA_BOOLEAN,
            JAVA_BOOLEAN,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    unconstrain = function("bs_param_unconstrain", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    gradient =
        function(
            "bs_log_density_gradient",
            JAVA_INT,
            ADDRESS,
            JAVA_BOOLEAN,
            JAVA_BOOLEAN,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    newRng = function("bs_rng_construct", ADDRESS, JAVA_INT, ADDRESS);
    deleteRng = procedure("bs_rng_destruct");
    StanPrints.catchAll(this, function("bs_set_print_callback", JAVA_INT, ADDRESS, ADDRESS));
  }

  /** Version 1 has no number, and other arguments. */
  @SuppressWarnings("restricted")
  private void requireVersion() {
    var major = symbols.find("bs_major_version").map(s -> s.reinterpret(JAVA_INT.byteSize()));
    if (major.isEmpty()) {
      boolean first = symbols.find("bs_construct").isPresent();
      throw new IllegalArgumentException(
          first
              ? path + " was built by BridgeStan 1; build it with BridgeStan 2"
              : path
                  + " is no model that BridgeStan built: it has no bs_major_version; expected what"
                  + " make NAME_model.so makes in a BridgeStan folder");
    }
    int version = major.get().get(JAVA_INT, 0);
    if (version != 2) {
      throw new IllegalArgumentException(
          "%s was built by BridgeStan %d; expected BridgeStan 2".formatted(path, version));
    }
  }

  private MethodHandle function(String function, MemoryLayout result, MemoryLayout... arguments) {
    return handle(function, FunctionDescriptor.of(result, arguments));
  }

  private MethodHandle procedure(String function) {
    return handle(function, FunctionDescriptor.ofVoid(ADDRESS));
  }

  @SuppressWarnings("restricted") // the descriptors are those of BridgeStan's header
  private MethodHandle handle(String function, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(
        symbols
            .find(function)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s has no function %s; build it with a newer BridgeStan"
                            .formatted(path, function))),
        descriptor);
  }

  Path path() {
    return path;
  }

  /** SHA-256 of the file. */
  String hash() {
    return hash;
  }

  /** The text at an address, which stays the library's. */
  @SuppressWarnings("restricted")
  static String text(MemorySegment address) {
    return address.equals(MemorySegment.NULL) ? "" : address.reinterpret(LONGEST).getString(0);
  }

  /** Stan's words at {@code error}, cut, their memory given back. */
  String takeMessage(MemorySegment error) {
    MemorySegment message = error.get(ADDRESS, 0);
    if (message.equals(MemorySegment.NULL)) {
      return "no reason given";
    }
    try {
      return Words.cut(text(message));
    } finally {
      error.set(ADDRESS, 0, MemorySegment.NULL);
      free(message);
    }
  }

  private void free(MemorySegment message) {
    try {
      freeMessage.invokeExact(message);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** A downcall throws nothing of its own: what comes here is a mistake in its use. */
  static RuntimeException unexpected(Throwable e) {
    return switch (e) {
      case RuntimeException runtime -> runtime;
      case Error error -> throw error;
      default -> new IllegalStateException(e);
    };
  }

  /** What an error is written to, empty. */
  static MemorySegment noError(Arena arena) {
    return arena.allocate(ADDRESS);
  }
}
