package cifvi.stan;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;

/**
 * A file that may be a library. The system's loader trusts what it is given: one that was cut short
 * ends the process.
 */
record LibraryFile(Path file) {
  private static final String ELF = "7f454c46";

  /** Of libraries of macOS, for one processor and for several, and of Windows. */
  private static final List<String> OTHERS = List.of("cffaedfe", "cafebabe", "4d5a");

  private static final int HEADER = 64;
  private static final int SEGMENT = 56;
  private static final int LOADED = 1;

  /** Why it cannot be loaded, as far as its header tells; empty for nothing. */
  String fault() throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      String begin = HexFormat.of().formatHex(read(in, 0, 4).array());
      if (begin.equals(ELF)) {
        return whole(in) ? "" : "it is not whole: a copy that broke off, or a build that failed";
      }
      return OTHERS.stream().anyMatch(begin::startsWith) ? "" : "it is no library";
    } catch (EOFException _) {
      return "it is no library, but a file that is empty or cut short";
    }
  }

  /** Whether everything that is to be loaded lies in the file. */
  private static boolean whole(FileChannel in) throws IOException {
    ByteBuffer header = read(in, 0, HEADER);
    boolean wide = header.get(4) == 2;
    boolean little = header.get(5) == 1;
    if (!wide || !little) {
      return true; // of another kind of processor, which the loader says itself
    }
    long segments = header.getLong(32);
    int size = Short.toUnsignedInt(header.getShort(54));
    int count = Short.toUnsignedInt(header.getShort(56));
    for (int i = 0; i < count; i++) {
      ByteBuffer segment = read(in, segments + (long) i * size, SEGMENT);
      long end = segment.getLong(8) + segment.getLong(32);
      if (segment.getInt(0) == LOADED && (end < 0 || end > in.size())) {
        return false;
      }
    }
    return true;
  }

  private static ByteBuffer read(FileChannel in, long from, int length) throws IOException {
    var bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (from < 0 || in.read(bytes, from + bytes.position()) < 0) {
        throw new EOFException();
      }
    }
    return bytes.flip();
  }
}
