package cifvi.engine.internal.fused;

import cifvi.engine.internal.fused.memory.Lanes;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of threads, the caller being one of them, that do the same task for different
 * parts. Who waits spins for a moment, since the next task usually follows at once, then sleeps, so
 * that a busy machine gets its processor back.
 *
 * <p>Part t of a task always runs on thread t: sums of a part are taken in a fixed order.
 */
public final class Pool implements AutoCloseable {
  /** Done for part 0, …, threads - 1. */
  interface Task {
    void run(int part);
  }

  /** About 20 µs. */
  private static final int SPINS = 500;

  private final Thread[] workers;
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicInteger round = new AtomicInteger();
  private volatile @Nullable Thread caller;
  private volatile @Nullable Task task;
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;
  private long waitedNanos; // nanoseconds of the caller

  Pool(int threads) {
    workers = new Thread[threads - 1];
    for (int i = 0; i < workers.length; i++) {
      int part = i + 1;
      workers[i] = new Thread(() -> work(part), "cifvi-fused-" + part);
      workers[i].setDaemon(true);
      workers[i].start();
    }
  }

  int threads() {
    return workers.length + 1;
  }

  /**
   * The first of a batch's rows that a part works on; behind the last part, the number of rows.
   * Parts are as equal as whole vectors allow, and always the same.
   */
  int firstRow(int part, int rows) {
    int vectors = Lanes.roundUp(rows) / Lanes.COUNT;
    return Math.min(rows, (int) ((long) vectors * part / threads()) * Lanes.COUNT);
  }

  /** Runs all parts and returns when all are done. */
  void run(Task next) {
    caller = Thread.currentThread();
    pending.set(workers.length);
    task = next;
    round.incrementAndGet();
    for (Thread worker : workers) {
      LockSupport.unpark(worker);
    }
    try {
      next.run(0);
    } finally {
      long done = System.nanoTime();
      for (int spins = 0; pending.get() > 0; spins++) {
        pause(spins);
      }
      waitedNanos += System.nanoTime() - done;
    }
    Throwable thrown = failure;
    if (thrown != null) {
      failure = null;
      throw new IllegalStateException("a worker of the fused engine failed", thrown);
    }
  }

  /** Seconds for which the caller has waited for the last part. */
  double waited() {
    return waitedNanos / 1e9;
  }

  private void work(int part) {
    int seen = 0;
    while (true) {
      for (int spins = 0; round.get() == seen; spins++) {
        if (closed) {
          return;
        }
        pause(spins);
      }
      seen++;
      try {
        Task current = task;
        if (current != null) {
          current.run(part);
        }
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      if (pending.decrementAndGet() == 0) {
        LockSupport.unpark(caller);
      }
    }
  }

  private void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.park(this);
    }
  }

  @Override
  public void close() {
    closed = true;
    for (Thread worker : workers) {
      LockSupport.unpark(worker);
    }
  }
}
