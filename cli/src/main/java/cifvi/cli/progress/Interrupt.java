package cifvi.cli.progress;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into a request: the work goes on to a safe point, saves and says so;
 * only then the process ends. Stopping inside a native backward pass could crash the JVM.
 */
public final class Interrupt implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::request, "interrupt");
  private volatile boolean requested;

  public static Interrupt install() {
    var interrupt = new Interrupt();
    Runtime.getRuntime().addShutdownHook(interrupt.hook);
    return interrupt;
  }

  private void request() {
    requested = true;
    try {
      finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean requested() {
    return requested;
  }

  /** The work is done or saved: the process may end. */
  @Override
  public void close() {
    finished.countDown();
    if (!requested) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException _) {
        // the process has just begun to end
      }
    }
  }
}
