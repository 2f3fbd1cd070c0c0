package cifvi.experiments.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Makes small IDX files. */
final class IdxFiles {
  private IdxFiles() {}

  /** An IDX file with these dimensions whose data is 0, 7, 14, … */
  static byte[] idx(int... dimensions) {
    int size = 1;
    for (int dimension : dimensions) {
      size *= dimension;
    }
    var bytes = ByteBuffer.allocate(4 + 4 * dimensions.length + size);
    bytes.putInt(0x800 + dimensions.length);
    for (int dimension : dimensions) {
      bytes.putInt(dimension);
    }
    for (int i = 0; i < size; i++) {
      bytes.put((byte) (7 * i));
    }
    return bytes.array();
  }

  static byte[] compressed(byte[] bytes) {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** The data file with this content. */
  static DataFile file(String name, List<Integer> dimensions, byte[] content) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256").digest(content);
      return new DataFile(name, dimensions, HexFormat.of().formatHex(sha256));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
