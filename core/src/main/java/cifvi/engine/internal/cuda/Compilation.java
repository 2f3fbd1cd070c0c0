package cifvi.engine.internal.cuda;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles sources in the background, each on a thread of its own: a first step takes as long as
 * the longest, and what does not need them goes on meanwhile.
 */
public final class Compilation {
  private static final Logger log = LoggerFactory.getLogger(Compilation.class);

  private static final Set<Thread> RUNNING = ConcurrentHashMap.newKeySet();
  private static final AtomicLong WAITED = new AtomicLong();

  static {
    // At the end of the process native code must not go on in a library that is taken down.
    Runtime.getRuntime().addShutdownHook(new Thread(Compilation::join, "cifvi-compilation-end"));
  }

  private Compilation() {}

  /**
   * Begins at once, unless the source lies compiled in the user's cache.
   *
   * @return waits for the machine code
   * @throws IllegalStateException where there is no compiler
   */
  static Supplier<byte[]> begin(String source, List<String> options) {
    var nvrtc = Nvrtc.get();
    String key = nvrtc.version() + options + source;
    return begin(() -> CubinCache.ofUser().get(key, () -> compile(nvrtc, source, options)));
  }

  private static byte[] compile(Nvrtc nvrtc, String source, List<String> options) {
    long start = System.nanoTime();
    byte[] made = nvrtc.compile(source, options);
    log.debug("compiled kernels in {} ms", (System.nanoTime() - start) / 1_000_000);
    return made;
  }

  /** The same for work of any kind; what it throws, who waits gets. */
  static Supplier<byte[]> begin(Supplier<byte[]> work) {
    var made = CompletableFuture.supplyAsync(work, Compilation::start);
    return () -> await(made);
  }

  private static void start(Runnable work) {
    Runnable counted =
        () -> {
          try {
            work.run();
          } finally {
            RUNNING.remove(Thread.currentThread());
          }
        };
    Thread thread = Thread.ofPlatform().daemon().name("cifvi-compilation").unstarted(counted);
    RUNNING.add(thread);
    thread.start();
  }

  private static byte[] await(CompletableFuture<byte[]> made) {
    long start = System.nanoTime();
    try {
      return made.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    } finally {
      WAITED.addAndGet(System.nanoTime() - start);
    }
  }

  /** How long launches of this process have waited for their kernels so far, in milliseconds. */
  public static double waitedMs() {
    return WAITED.get() / 1e6;
  }

  private static void join() {
    for (Thread thread : RUNNING) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        return;
      }
    }
  }
}
