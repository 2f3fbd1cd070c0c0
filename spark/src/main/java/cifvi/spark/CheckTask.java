package cifvi.spark;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.function.Function;

/** Looks whether a worker can do its work; what is wrong comes back as text. */
record CheckTask(SharedFolder folder) implements Function<Integer, String> {
  /** So that tasks are given to all workers, and not twice to a fast one. */
  private static final long MILLIS = 200;

  @Override
  public String call(Integer index) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(MILLIS);
    if (Runtime.version().feature() < 25) {
      return "a worker runs Java " + Runtime.version();
    }
    try {
      folder.requireSeen();
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
