package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Good files are read, plain or compressed; of bad ones it is said what is wrong. */
class IdxTest {
  private static final List<Integer> IMAGE_SIZES = List.of(5, 3, 2);
  private static final List<Integer> LABEL_SIZES = List.of(5);
  private static final byte[] IMAGES = IdxFiles.idx(5, 3, 2);
  private static final byte[] LABELS = IdxFiles.idx(5);

  @TempDir Path folder;

  @Test
  void plainAndCompressedFilesAreTheSame() throws IOException, BadFileException {
    Idx plain = Idx.read(write(IMAGES), IMAGE_SIZES);
    Idx compressed = Idx.read(write(IdxFiles.compressed(IMAGES)), IMAGE_SIZES);
    assertThat(plain.dimensions()).isEqualTo(IMAGE_SIZES);
    assertThat(plain.data()).isEqualTo(Arrays.copyOfRange(IMAGES, 16, 46));
    assertThat(compressed.data()).isEqualTo(plain.data());
    assertThat(compressed.dimensions()).isEqualTo(plain.dimensions());
    assertThat(compressed.sha256()).isEqualTo(plain.sha256());
    // of an independent program
    assertThat(plain.sha256())
        .isEqualTo("b594fb5a340cd8458c9738a9c41ab200d2b5f2e34b26575d70a3bd2efbc65138");
    assertThat(Idx.read(write(LABELS), LABEL_SIZES).data()).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 10, 16, 45})
  void aPlainFileCutShortIsRefused(int length) throws IOException {
    assertRefused(Arrays.copyOf(IMAGES, length), "is cut short");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 9, 10, 20, -9, -8, -1})
  void aCompressedFileCutShortIsRefused(int length) throws IOException {
    byte[] whole = IdxFiles.compressed(IMAGES);
    int kept = length < 0 ? whole.length + length : length;
    assertRefused(Arrays.copyOf(whole, kept), "is cut short: the compressed data ends too early");
  }

  @Test
  void aDamagedCompressedFileIsRefused() throws IOException {
    byte[] bytes = IdxFiles.compressed(IMAGES);
    bytes[bytes.length - 5] ^= 1; // the last byte of the CRC
    assertRefused(bytes, "is damaged");
  }

  @Test
  void bytesBehindTheDataAreRefused() throws IOException {
    byte[] longer = Arrays.copyOf(IMAGES, IMAGES.length + 1);
    assertRefused(longer, "goes on after the 5 × 3 × 2 bytes");
    assertRefused(IdxFiles.compressed(longer), "goes on after the 5 × 3 × 2 bytes");
  }

  @Test
  void swappedFilesAreRefused() throws IOException {
    assertRefused(LABELS, "holds labels, expected images: are the two files swapped?");
    Path images = write(IMAGES);
    assertThatExceptionOfType(BadFileException.class)
        .isThrownBy(() -> Idx.read(images, LABEL_SIZES))
        .withMessage("holds images, expected labels: are the two files swapped?");
  }

  @Test
  void aWrongMagicNumberIsRefused() throws IOException {
    assertRefused(
        "<!DOCTYPE html>".getBytes(StandardCharsets.UTF_8),
        "is not an IDX file of images: it starts with 0x3c21444f, expected 0x00000803");
    assertRefused(IdxFiles.idx(5, 3), "it starts with 0x00000802, expected 0x00000803");
  }

  @Test
  void otherSizesAreRefusedBeforeAnythingIsUnpacked() throws IOException {
    byte[] negative = IMAGES.clone();
    negative[4] = -1;
    assertRefused(negative, "holds -16,777,211 × 3 × 2, expected 5 × 3 × 2");
    byte[] fewer = IMAGES.clone();
    fewer[7] = 4;
    assertRefused(fewer, "holds 4 × 3 × 2, expected 5 × 3 × 2");
  }

  /** As 3 MB of a file would unpack to 3 GB. */
  @Test
  void whatUnpacksToFarMoreIsRefusedAtItsHeader() throws IOException {
    byte[] header = {0, 0, 8, 3, 127, -1, -1, -1, 0, 0, 0, 1, 0, 0, 0, 1};
    Path bomb = folder.resolve("bomb.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(bomb))) {
      out.write(header);
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 256; i++) {
        out.write(zeros);
      }
    }
    long before = allocated();
    assertThatExceptionOfType(BadFileException.class)
        .isThrownBy(() -> Idx.read(bomb, IMAGE_SIZES))
        .withMessage("holds 2,147,483,647 × 1 × 1, expected 5 × 3 × 2");
    assertThat(allocated() - before).isLessThan(10 << 20);
  }

  private static long allocated() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  @Test
  void whatIsNoFileIsRefused() {
    assertThatExceptionOfType(BadFileException.class)
        .isThrownBy(() -> Idx.read(folder.resolve("nothing"), IMAGE_SIZES))
        .withMessage("cannot be read: no such file");
    assertThatExceptionOfType(BadFileException.class)
        .isThrownBy(() -> Idx.read(folder, IMAGE_SIZES))
        .withMessage("cannot be read: " + SystemWords.isDirectory(folder));
  }

  private void assertRefused(byte[] content, String problem) throws IOException {
    Path file = write(content);
    assertThatExceptionOfType(BadFileException.class)
        .isThrownBy(() -> Idx.read(file, IMAGE_SIZES))
        .withMessageContaining(problem);
  }

  private Path write(byte[] content) throws IOException {
    return Files.write(folder.resolve("file"), content);
  }
}
