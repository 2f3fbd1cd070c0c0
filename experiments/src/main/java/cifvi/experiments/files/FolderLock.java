package cifvi.experiments.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps other processes out of a folder by its file {@code lock}; the system lets go of it when the
 * process ends, however it ends.
 */
public final class FolderLock implements AutoCloseable {
  private final FileChannel file;

  private FolderLock(FileChannel file) {
    this.file = file;
  }

  /** Takes the lock of an existing folder; one that another process holds is refused. */
  public static FolderLock take(Path folder) throws IOException {
    var file =
        FileChannel.open(
            folder.resolve("lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    if (!tryLock(file)) {
      file.close();
      throw new UserException(
          "another process is working in " + folder + ": wait for it or stop it");
    }
    byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
    file.truncate(0).write(ByteBuffer.wrap(pid));
    return new FolderLock(file);
  }

  /** Whether another process holds the lock just now. */
  public static boolean isHeld(Path folder) {
    Path lock = folder.resolve("lock");
    if (!Files.exists(lock)) {
      return false;
    }
    try (var file = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      return !tryLock(file);
    } catch (IOException _) {
      return false; // whoever takes it next will say what is wrong
    }
  }

  private static boolean tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false; // held by this very process: the same as being held by another
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
