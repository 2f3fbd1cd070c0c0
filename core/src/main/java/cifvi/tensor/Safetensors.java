package cifvi.tensor;

import cifvi.tensor.SafetensorsHeader.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * Files in the safetensors format: the length of a JSON header (8 bytes, little-endian), the
 * header, then the raw little-endian data. Entries are sorted by name and nothing else is written,
 * so equal contents give equal bytes.
 */
public final class Safetensors {
  private static final long MAX_HEADER = 100_000_000;

  private Safetensors() {}

  /**
   * What a file holds: tensors on the CPU that belong to the {@code PointerScope} of the reader.
   */
  public record Content(SortedMap<String, Tensor> tensors, SortedMap<String, String> metadata) {}

  /**
   * Writes to a temporary name beside {@code file}, syncs, and renames: a reader sees the old file
   * or the new one.
   */
  public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata)
      throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    var sorted = new TreeMap<>(tensors);
    byte[] header = SafetensorsHeader.write(sorted, new TreeMap<>(metadata));
    try (var _ = new PointerScope();
        var channel =
            FileChannel.open(
                temporary,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
      writeFully(channel, little(8).putLong(0, header.length));
      writeFully(channel, ByteBuffer.wrap(header));
      for (Tensor tensor : sorted.values()) {
        writeFully(channel, bytes(tensor.detach().cpu().contiguous()));
      }
      channel.force(true);
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** A checksum (CRC-32C) of all that a file with this content holds. */
  public static long checksum(Map<String, Tensor> tensors, Map<String, String> metadata) {
    var sorted = new TreeMap<>(tensors);
    var crc = new CRC32C();
    try (var _ = new PointerScope()) {
      crc.update(SafetensorsHeader.write(sorted, new TreeMap<>(metadata)));
      sorted.values().forEach(tensor -> crc.update(bytes(tensor.detach().cpu().contiguous())));
    }
    return crc.getValue();
  }

  /** A checksum (CRC-32C) of names and data alone, as the first version of checkpoints has it. */
  public static long checksum(Map<String, Tensor> tensors) {
    var crc = new CRC32C();
    try (var _ = new PointerScope()) {
      new TreeMap<>(tensors)
          .forEach(
              (name, tensor) -> {
                crc.update(name.getBytes(StandardCharsets.UTF_8));
                crc.update(bytes(tensor.detach().cpu().contiguous()));
              });
    }
    return crc.getValue();
  }

  /** Reads a whole file, refusing one that is damaged with the reason. */
  public static Content read(Path file) throws IOException {
    try (var channel = FileChannel.open(file)) {
      long size = channel.size();
      long length = size < 8 ? -1 : readFully(channel, 8).getLong(0);
      if (length < 2 || length > Math.min(MAX_HEADER, size - 8)) {
        throw new IOException(file + ": not a safetensors file, or cut off (" + size + " bytes)");
      }
      var header = SafetensorsHeader.parse(file, readFully(channel, (int) length).array());
      long data = 8 + length;
      requireNoGaps(file, header.entries(), size - data);
      var tensors = new TreeMap<String, Tensor>();
      for (Entry entry : header.entries()) {
        channel.position(data + entry.begin());
        tensors.put(entry.name(), tensor(channel, entry));
      }
      return new Content(tensors, header.metadata());
    }
  }

  private static Tensor tensor(FileChannel channel, Entry entry) throws IOException {
    Tensor tensor =
        torch.empty(
            entry.shape().stream().mapToLong(n -> n).toArray(),
            new TensorOptions(entry.type()),
            new MemoryFormatOptional());
    ByteBuffer target = bytes(tensor);
    while (target.hasRemaining() && channel.read(target) >= 0) {}
    return tensor;
  }

  /** The format wants the data of one tensor to begin where that of another ends. */
  private static void requireNoGaps(Path file, List<Entry> entries, long size) throws IOException {
    long end = 0;
    for (Entry entry : entries.stream().sorted(Entry.BY_OFFSET).toList()) {
      if (entry.begin() != end) {
        throw new IOException(
            file
                + ": damaged header: "
                + entry.name()
                + " begins at "
                + entry.begin()
                + ", not "
                + end);
      }
      end = entry.end();
      if (end > size) {
        throw new IOException(
            file + ": cut off: " + entry.name() + " ends after the end of the file");
      }
    }
    if (end < size) {
      throw new IOException(file + ": " + (size - end) + " bytes too many at the end");
    }
  }

  private static ByteBuffer bytes(Tensor tensor) {
    long count = tensor.numel() * tensor.element_size();
    if (count == 0) { // an empty tensor has no memory
      return little(0);
    }
    return new BytePointer(tensor.data_ptr())
        .capacity(count)
        .asByteBuffer()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void writeFully(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private static ByteBuffer readFully(FileChannel channel, int size) throws IOException {
    ByteBuffer buffer = little(size);
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
    return buffer.flip();
  }
}
