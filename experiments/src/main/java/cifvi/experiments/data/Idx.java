package cifvi.experiments.data;

import cifvi.experiments.files.WholeFile;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * An IDX file of unsigned bytes: the magic number 0x800 + rank, one big-endian int for each
 * dimension, then the data. {@code sha256} is that of the whole content before compression, so that
 * it is the same for a plain file and for every way to compress it.
 */
@SuppressWarnings("ArrayRecordComponent") // shared and not copied; never compared
record Idx(List<Integer> dimensions, byte[] data, String sha256) {
  static final int LABELS = 1;
  static final int IMAGES = 3;

  private static final int MAGIC = 0x800;
  private static final int GZIP_MAGIC = 0x1F8B;
  private static final int BUFFER = 1 << 16;

  /**
   * Reads a file, compressed or not, that must hold data of these sizes: nothing more is ever
   * unpacked, whatever the header says.
   */
  static Idx read(Path file, List<Integer> expected) throws BadFileException {
    int rank = expected.size();
    var sha256 = digest();
    try (var in = new DigestInputStream(open(file), sha256)) {
      requireMagic(in.readNBytes(Integer.BYTES), rank);
      var dimensions = dimensions(in.readNBytes(Integer.BYTES * rank), rank);
      if (!dimensions.equals(expected)) {
        throw new BadFileException(
            "holds %s, expected %s".formatted(sizes(dimensions), sizes(expected)));
      }
      byte[] data = data(in, dimensions);
      if (in.read() >= 0) {
        throw new BadFileException(
            "goes on after the " + sizes(dimensions) + " bytes that its header declares");
      }
      return new Idx(dimensions, data, HexFormat.of().formatHex(sha256.digest()));
    } catch (EOFException e) {
      throw new BadFileException("is cut short: the compressed data ends too early", e);
    } catch (ZipException e) {
      throw new BadFileException("is damaged: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new BadFileException("cannot be read: " + WholeFile.reason(e), e);
    }
  }

  /** Whether the content, not the name, is compressed. */
  static boolean isCompressed(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(Short.BYTES);
      return start.length == Short.BYTES
          && Short.toUnsignedInt(ByteBuffer.wrap(start).getShort()) == GZIP_MAGIC;
    }
  }

  private static InputStream open(Path file) throws IOException {
    boolean compressed = isCompressed(file);
    InputStream in = Files.newInputStream(file);
    if (!compressed) {
      return new BufferedInputStream(in, BUFFER);
    }
    try {
      return new GZIPInputStream(in, BUFFER);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private static void requireMagic(byte[] bytes, int rank) throws BadFileException {
    if (bytes.length < Integer.BYTES) {
      throw new BadFileException("is cut short: it has " + bytes.length + " bytes");
    }
    int magic = ByteBuffer.wrap(bytes).getInt();
    if (magic == MAGIC + rank) {
      return;
    }
    if (magic == MAGIC + LABELS || magic == MAGIC + IMAGES) {
      throw new BadFileException(
          "holds %s, expected %s: are the two files swapped?"
              .formatted(content(magic - MAGIC), content(rank)));
    }
    throw new BadFileException(
        "is not an IDX file of %s: it starts with 0x%08x, expected 0x%08x"
            .formatted(content(rank), magic, MAGIC + rank));
  }

  private static String content(int rank) {
    return rank == LABELS ? "labels" : "images";
  }

  private static List<Integer> dimensions(byte[] bytes, int rank) throws BadFileException {
    var header = ByteBuffer.wrap(bytes).asIntBuffer();
    var dimensions = new ArrayList<Integer>();
    while (header.hasRemaining()) {
      dimensions.add(header.get());
    }
    if (dimensions.size() < rank) {
      throw new BadFileException("is cut short: it ends within its header");
    }
    return List.copyOf(dimensions);
  }

  private static byte[] data(InputStream in, List<Integer> dimensions)
      throws IOException, BadFileException {
    int size = dimensions.stream().reduce(1, Math::multiplyExact);
    byte[] data = in.readNBytes(size);
    if (data.length < size) {
      throw new BadFileException(
          "is cut short: it has %s bytes of data, its header declares %s"
              .formatted(sizes(List.of(data.length)), sizes(dimensions)));
    }
    return data;
  }

  /** Sizes as people write them: {@code 60,000 × 28 × 28}. */
  static String sizes(List<Integer> dimensions) {
    return String.join(
        " × ", dimensions.stream().map(n -> String.format(Locale.ROOT, "%,d", n)).toList());
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
