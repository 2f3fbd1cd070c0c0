package cifvi.experiments.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Keeps other processes out of a folder by its file {@code lock}.
 *
 * <p>On one machine the system's lock on that file decides; the system lets go of it when the
 * process ends, however it ends. Between machines, where a shared file system may not pass such
 * locks on, the holder also writes into the file every few seconds. Whoever comes from another
 * machine watches it: while it changes the folder is held; where it is silent for longer than a
 * holder ever is, its machine is taken for lost, and the newcomer takes over by creating {@code
 * lock.1}, {@code lock.2}, …, which one alone can. A holder that was only frozen finds that file
 * before it writes anything that counts ({@link #requireHeld}), and ends.
 */
public final class FolderLock implements AutoCloseable {
  private static final String FILE = "lock";
  private static final Duration BEAT = Duration.ofSeconds(4);

  /** How long a lost machine's folder is watched before it is taken over. */
  private static final Duration SILENCE = Duration.ofSeconds(20);

  /** Seconds that a process waits for a folder before it is refused. */
  private static final String PATIENCE = "cifvi.lock.patience";

  private static final Duration POLL = Duration.ofMillis(250);

  private final Path folder;
  private final FileChannel file;
  private final String owner;
  private final int takeovers;
  private final CountDownLatch closed = new CountDownLatch(1);

  private FolderLock(Path folder, FileChannel file, String machine, int takeovers) {
    this.folder = folder;
    this.file = file;
    this.owner = machine + " " + ProcessHandle.current().pid() + " ";
    this.takeovers = takeovers;
  }

  /** The option of a process that shall wait for a folder that another one is about to leave. */
  public static String patience(Duration longest) {
    return "-D" + PATIENCE + "=" + longest.toSeconds();
  }

  /** Takes the lock of an existing folder; one that another process holds is refused. */
  public static FolderLock take(Path folder) throws IOException {
    return take(folder, Machine.ID, SILENCE, Duration.ofSeconds(Long.getLong(PATIENCE, 0)));
  }

  static FolderLock take(Path folder, String machine, Duration silence, Duration patience)
      throws IOException {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      var file =
          FileChannel.open(
              folder.resolve(FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      if (tryLock(file) && isFree(folder, file, machine, silence)) {
        var lock = new FolderLock(folder, file, machine, takeovers(folder));
        lock.write(0);
        Thread.ofPlatform().daemon().name("lock").start(lock::beat);
        return lock;
      }
      file.close();
      if (System.nanoTime() >= until) {
        throw new UserException(
            "another process is working in " + folder + ": wait for it or stop it");
      }
      sleep(POLL);
    }
  }

  /** Whether the last holder, whose lock the system does not know of, has left or is lost. */
  private static boolean isFree(Path folder, FileChannel file, String machine, Duration silence)
      throws IOException {
    String last = read(file);
    if (last.isEmpty() || last.startsWith(machine + " ") || !last.contains(" ")) {
      return true; // it left, or ended here, where the system would know, or is of an old version
    }
    int before = takeovers(folder);
    long until = System.nanoTime() + silence.toNanos();
    while (System.nanoTime() < until) {
      sleep(POLL);
      if (!read(file).equals(last)) {
        return false;
      }
    }
    try {
      Files.createFile(takeover(folder, before + 1));
      return true;
    } catch (FileAlreadyExistsException _) {
      return false; // another one was faster
    }
  }

  /** Whether another process of this machine holds the lock just now. */
  public static boolean isHeld(Path folder) {
    Path lock = folder.resolve(FILE);
    if (!Files.exists(lock)) {
      return false;
    }
    try (var file = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      return !tryLock(file);
    } catch (IOException _) {
      return false; // whoever takes it next will say what is wrong
    }
  }

  /** Whether its holder, wherever it is, has not left, as far as this machine can know. */
  public static boolean isBusy(Path folder) {
    if (isHeld(folder)) {
      return true;
    }
    try {
      String last = Files.readString(folder.resolve(FILE));
      return last.contains(" ") && !last.startsWith(Machine.ID + " ");
    } catch (IOException _) {
      return false; // there never was one
    }
  }

  /** Whether a file of a folder belongs to its lock. */
  public static boolean isPart(String name) {
    return name.matches("lock(\\.\\d+)?");
  }

  /** Refuses to go on where another machine has taken this one for lost. */
  public void requireHeld() {
    if (Files.exists(takeover(folder, takeovers + 1))) {
      throw new UserException(
          folder + ": another machine took over, since this one was silent for too long");
    }
  }

  private static boolean tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false; // held by this very process: the same as being held by another
    }
  }

  private static Path takeover(Path folder, int number) {
    return folder.resolve(FILE + "." + number);
  }

  private static int takeovers(Path folder) {
    int number = 0;
    while (Files.exists(takeover(folder, number + 1))) {
      number++;
    }
    return number;
  }

  private void beat() {
    try {
      for (long beat = 1; !closed.await(BEAT.toMillis(), TimeUnit.MILLISECONDS); beat++) {
        write(beat);
      }
    } catch (ClosedChannelException _) {
      // just now
    } catch (IOException | InterruptedException _) {
      // a full disk, say: silent for long, it is taken for lost, and finds out before it writes
    }
  }

  private void write(long beat) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(owner + beat + "\n");
    int length = bytes.remaining();
    file.write(bytes, 0);
    file.truncate(length);
    file.force(false);
  }

  private static String read(FileChannel file) throws IOException {
    var bytes = ByteBuffer.allocate(256);
    int length = Math.max(0, file.read(bytes, 0));
    return new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
  }

  private static void sleep(Duration time) throws IOException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      if (file.isOpen()) {
        file.truncate(0);
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
