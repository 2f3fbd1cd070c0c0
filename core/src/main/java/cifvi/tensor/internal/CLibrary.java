package cifvi.tensor.internal;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A C library whose functions take integers and addresses and return a status.
 *
 * <p>A signature has one letter an argument: {@code i} for 32 bits, {@code l} for 64 bits or an
 * address.
 */
public final class CLibrary {
  private final SymbolLookup symbols;
  private final Map<String, String> signatures;
  private final Map<String, MethodHandle> functions = new ConcurrentHashMap<>();

  public CLibrary(SymbolLookup symbols, Map<String, String> signatures) {
    this.symbols = symbols;
    this.signatures = signatures;
  }

  /**
   * Opens the first library that is there: a full path, a name in {@code java.library.path}, or one
   * that the system finds; one that is in memory already is found by its name.
   */
  @SuppressWarnings("restricted") // opening a library is what this class is for
  public static Optional<SymbolLookup> open(String... names) {
    for (String name : names) {
      for (String candidate : candidates(name).toList()) {
        try {
          return Optional.of(SymbolLookup.libraryLookup(candidate, Arena.global()));
        } catch (IllegalArgumentException _) {
          // not there: the next one
        }
      }
    }
    return Optional.empty();
  }

  private static Stream<String> candidates(String name) {
    String path = System.getProperty("java.library.path", "");
    var inPath =
        Arrays.stream(path.split(File.pathSeparator, -1))
            .filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder, name))
            .filter(Files::exists)
            .map(Path::toString);
    return name.contains("/") ? Stream.of(name) : Stream.concat(Stream.of(name), inPath);
  }

  /** Whether the library has a function of this name. */
  public boolean has(String name) {
    return symbols.find(name).isPresent();
  }

  /** Calls a function; the arguments are {@code Integer} and {@code Long} as its signature says. */
  public int call(String name, Object... arguments) {
    try {
      return (int) functions.computeIfAbsent(name, this::function).invokeExact(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
  }

  private MethodHandle function(String name) {
    String signature = signatures.get(name);
    if (signature == null) {
      throw new IllegalArgumentException("function: " + name + " has no signature");
    }
    List<MemoryLayout> arguments =
        signature
            .chars()
            .<MemoryLayout>mapToObj(c -> c == 'i' ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG)
            .toList();
    var descriptor =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments.toArray(MemoryLayout[]::new));
    return handle(symbols, name, descriptor)
        .asSpreader(Object[].class, arguments.size())
        .asType(MethodType.methodType(int.class, Object[].class));
  }

  /** Any function of a library. */
  @SuppressWarnings("restricted") // the descriptors are those of the libraries' headers
  public static MethodHandle handle(
      SymbolLookup symbols, String name, FunctionDescriptor descriptor) {
    var symbol =
        symbols
            .find(name)
            .orElseThrow(
                () -> new IllegalStateException("no function " + name + " in the library"));
    return Linker.nativeLinker().downcallHandle(symbol, descriptor);
  }
}
