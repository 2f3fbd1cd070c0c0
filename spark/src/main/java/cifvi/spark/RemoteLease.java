package cifvi.spark;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Who may write a cell under a URI, where there are no locks: the same as {@link
 * cifvi.experiments.files.FolderLock} does between machines, by creating files, which one alone
 * can. It is renewed whenever the cell is saved.
 */
final class RemoteLease {
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final RemoteFiles files;
  private final String cell;
  private final String owner = UUID.randomUUID().toString();
  private final int takeovers;
  private long beat;

  private RemoteLease(RemoteFiles files, String cell, int takeovers) {
    this.files = files;
    this.cell = cell;
    this.takeovers = takeovers;
  }

  static boolean isPart(String name) {
    return name.matches("lease(\\.\\d+)?");
  }

  /** Waits until the holder leaves, or is silent for so long that it must be lost. */
  static RemoteLease take(RemoteFiles files, String cell) throws IOException, InterruptedException {
    return take(files, cell, SILENCE, PATIENCE);
  }

  static RemoteLease take(RemoteFiles files, String cell, Duration silence, Duration patience)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    String seen = "";
    long since = System.nanoTime();
    while (System.nanoTime() < until) {
      int before = takeovers(files, cell);
      var lease = new RemoteLease(files, cell, before);
      Optional<String> last = files.read(cell + "/lease");
      if (last.isEmpty()) {
        if (files.create(cell + "/lease", lease.owner + " 0")) {
          return lease;
        }
      } else if (!last.get().equals(seen)) {
        seen = last.get();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > silence.toNanos()
          && files.create(cell + "/lease." + (before + 1), lease.owner)) {
        var taken = new RemoteLease(files, cell, before + 1);
        taken.renew();
        return taken;
      }
      Thread.sleep(POLL);
    }
    throw new UserException("another process is working in " + cell + ": wait for it or stop it");
  }

  private static int takeovers(RemoteFiles files, String cell) throws IOException {
    int number = 0;
    while (files.exists(cell + "/lease." + (number + 1))) {
      number++;
    }
    return number;
  }

  /** Shows that the holder lives; refuses where it was taken for lost. */
  void renew() throws IOException {
    if (files.exists(cell + "/lease." + (takeovers + 1))) {
      throw new UserException(
          cell + ": another machine took over, since this one was silent for too long");
    }
    files.write(
        cell + "/lease", (owner + " " + beat++).getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  void release() throws IOException {
    renew();
    files.delete(cell + "/lease");
  }
}
