package cifvi.stan;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a model's {@code print} statements say: to the log, the first of them, and not to the
 * standard output, which is for results. A model may print at every evaluation.
 */
final class StanPrints {
  private static final Logger log = LoggerFactory.getLogger(StanModel.class);
  private static final int SHOWN = 10;
  private static final int MOST_CHARACTERS = 200;
  private static final long MOST_BYTES = 4 * MOST_CHARACTERS;

  private final Path library;
  private final AtomicInteger printed = new AtomicInteger();

  private StanPrints(Path library) {
    this.library = library;
  }

  /** Has a library print here from now on. */
  @SuppressWarnings("restricted") // the stub lives as long as the library
  static void catchAll(StanLibrary library, MethodHandle setCallback) {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle print =
          MethodHandles.lookup()
              .findVirtual(
                  StanPrints.class,
                  "print",
                  MethodType.methodType(void.class, MemorySegment.class, long.class))
              .bindTo(new StanPrints(library.path()));
      MemorySegment stub =
          Linker.nativeLinker()
              .upcallStub(print, FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG), Arena.global());
      StanLibrary.ONE_AT_A_TIME.lock();
      try {
        int _ = (int) setCallback.invokeExact(stub, StanLibrary.noError(arena));
      } finally {
        StanLibrary.ONE_AT_A_TIME.unlock();
      }
    } catch (Throwable e) {
      throw StanLibrary.unexpected(e);
    }
  }

  /** Called by the library; anything thrown here would end the process. */
  @SuppressWarnings({"restricted", "UnusedMethod", "CatchAndPrintStackTrace"})
  private void print(MemorySegment text, long size) {
    try {
      int n = printed.incrementAndGet();
      if (n <= SHOWN) {
        byte[] bytes = text.reinterpret(Math.min(size, MOST_BYTES)).toArray(JAVA_BYTE);
        String words = new String(bytes, StandardCharsets.UTF_8);
        log.info("{} prints: {}", library.getFileName(), Words.cut(words, MOST_CHARACTERS));
      } else if (n == SHOWN + 1) {
        log.info("{} prints more, which is not shown", library.getFileName());
      }
    } catch (Throwable _) {
      printed.incrementAndGet(); // a print that cannot be shown is not worth a process
    }
  }
}
