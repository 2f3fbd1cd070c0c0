package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.fuzz.RefusedException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** What an IDX file says, compressed or not, is its header and as many bytes as that declares. */
public final class IdxReading {
  private static final List<Integer> LABELS = List.of(5);
  private static final List<Integer> IMAGES = List.of(2, 3, 4);

  private IdxReading() {}

  public static void read(Path file) throws RefusedException {
    try {
      read(file, LABELS);
    } catch (BadFileException _) {
      readImages(file);
    }
  }

  private static void readImages(Path file) throws RefusedException {
    try {
      read(file, IMAGES);
    } catch (BadFileException e) {
      throw new RefusedException(file + " ", e);
    }
  }

  private static void read(Path file, List<Integer> sizes) throws BadFileException {
    int rank = sizes.size();
    Idx idx = Idx.read(file, sizes);
    var content = ByteBuffer.allocate(4 + 4 * rank + idx.data().length).putInt(0x800 + rank);
    idx.dimensions().forEach(content::putInt);
    content.put(idx.data());
    assertThat(content.hasRemaining()).isFalse();
    assertThat(idx.dimensions()).isEqualTo(sizes);
    assertThat(HexFormat.of().formatHex(sha256(content.array()))).isEqualTo(idx.sha256());
  }

  private static byte[] sha256(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
