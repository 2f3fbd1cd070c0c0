package cifvi.experiments.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * A small text file that is there as a whole or not at all: written and synced under a temporary
 * name, then renamed. Neither a kill, nor a full disk, nor a power loss leaves a part of it.
 */
public final class WholeFile {
  /** A thousand times what any of ours has. */
  private static final int MOST_BYTES = 16 << 20;

  private WholeFile() {}

  /** The text of a small file, whoever has made it; a large one is refused and not read. */
  public static String read(Path file) throws IOException {
    long size = Files.size(file);
    if (size > MOST_BYTES) {
      throw new IOException(
          String.format(Locale.ROOT, "has %,d bytes, expected at most %,d", size, MOST_BYTES));
    }
    return Files.readString(file);
  }

  /** Writes it so that a reader sees the old or the new one; says so where it cannot. */
  public static void replace(Path file, String text) {
    try {
      write(file, text);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + reason(e), e);
    }
  }

  /** What went wrong in words, where the exception's message is just the file's name. */
  public static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file";
      default -> {
        String message = e.getMessage();
        yield message == null ? e.toString() : message.replaceFirst("^.*: ", "");
      }
    };
  }

  static void write(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      try (var channel =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }
}
