package cifvi.experiments.data;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the operating system says of a file, in the language of who runs the tests. */
final class SystemWords {
  private SystemWords() {}

  /** "Is a directory". */
  static String isDirectory(Path folder) {
    try {
      throw new IllegalArgumentException(folder + " was read: " + Files.readString(folder));
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** "Not a directory". */
  static String notDirectory(Path file) throws IOException {
    try {
      throw new IllegalArgumentException(
          Files.createDirectory(file.resolve("below")) + " is there");
    } catch (FileSystemException e) {
      return String.valueOf(e.getReason());
    }
  }
}
