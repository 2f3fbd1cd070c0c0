package cifvi.tensor;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a program that lets tensors pile up: the garbage collector frees them too, but it sees a
 * few bytes of Java for each and so has no reason to run before the machine's memory is full.
 */
final class ScopeWatch {
  private static final Logger log = LoggerFactory.getLogger(ScopeWatch.class);

  private static final int CALLS_A_LOOK = 100; // a look reads a file of the operating system
  private static final int LOOKS = 10;

  private final LongSupplier memory;
  private int calls;
  private int grown;
  private long last = Long.MAX_VALUE;
  private boolean warned;

  /** Watches a memory, in bytes. */
  ScopeWatch(LongSupplier memory) {
    this.memory = memory;
  }

  /**
   * Counts a call outside any scope; the warning comes when memory has grown at every look for a
   * thousand of them.
   */
  synchronized void calledOutside() {
    if (warned || ++calls % CALLS_A_LOOK != 0) {
      return;
    }
    long now = memory.getAsLong();
    grown = now > last ? grown + 1 : 0;
    last = now;
    if (grown == LOOKS) {
      warned = true;
      log.warn(
          "memory of this process has grown to {} MB over {} calls whose tensors nobody frees;"
              + " surround them with try (var scope = new PointerScope()) { … }",
          now >> 20,
          LOOKS * CALLS_A_LOOK);
    }
  }

  /** Whether the warning was given. */
  synchronized boolean warned() {
    return warned;
  }
}
