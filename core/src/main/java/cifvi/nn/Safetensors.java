package cifvi.nn;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
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
import org.bytedeco.pytorch.global.torch.ScalarType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Files in the safetensors format: the length of a JSON header (8 bytes, little-endian), the
 * header, then the raw little-endian data. Entries are sorted by name and nothing else is written,
 * so equal contents give equal bytes.
 */
public final class Safetensors {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final String METADATA = "__metadata__";
  private static final long MAX_HEADER = 100_000_000;
  private static final Map<String, ScalarType> TYPES =
      Map.of("F32", ScalarType.Float, "F64", ScalarType.Double, "I64", ScalarType.Long);

  private Safetensors() {}

  /**
   * What a file holds: tensors on the CPU that belong to the {@code PointerScope} of the reader.
   */
  public record Content(SortedMap<String, Tensor> tensors, SortedMap<String, String> metadata) {}

  private record Entry(String name, ScalarType type, List<Long> shape, long begin, long end) {
    static final Comparator<Entry> BY_OFFSET =
        Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end);

    Entry {
      long others = // what libtorch multiplies of an empty tensor, too
          shape.stream().filter(n -> n != 0).reduce(torch.elementSize(type), Math::multiplyExact);
      long bytes = shape.contains(0L) ? 0 : others;
      if (shape.stream().anyMatch(n -> n < 0) || bytes != end - begin) {
        throw new IllegalArgumentException(
            name + " has shape " + shape + " but " + (end - begin) + " bytes");
      }
    }
  }

  /**
   * Writes to a temporary name beside {@code file}, syncs, and renames: a reader sees the old file
   * or the new one.
   */
  public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata)
      throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    var sorted = new TreeMap<>(tensors);
    byte[] header = header(sorted, new TreeMap<>(metadata));
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
      crc.update(header(sorted, new TreeMap<>(metadata)));
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
      var metadata = new TreeMap<String, String>();
      List<Entry> entries = parse(file, readFully(channel, (int) length).array(), metadata);
      long data = 8 + length;
      requireNoGaps(file, entries, size - data);
      var tensors = new TreeMap<String, Tensor>();
      for (Entry entry : entries) {
        channel.position(data + entry.begin);
        tensors.put(entry.name, tensor(channel, entry));
      }
      return new Content(tensors, metadata);
    }
  }

  private static Tensor tensor(FileChannel channel, Entry entry) throws IOException {
    Tensor tensor =
        torch.empty(
            entry.shape.stream().mapToLong(n -> n).toArray(),
            new TensorOptions(entry.type),
            new MemoryFormatOptional());
    ByteBuffer target = bytes(tensor);
    while (target.hasRemaining() && channel.read(target) >= 0) {}
    return tensor;
  }

  /** The format wants the data of one tensor to begin where that of another ends. */
  private static void requireNoGaps(Path file, List<Entry> entries, long size) throws IOException {
    long end = 0;
    for (Entry entry : entries.stream().sorted(Entry.BY_OFFSET).toList()) {
      if (entry.begin != end) {
        throw new IOException(
            file
                + ": damaged header: "
                + entry.name
                + " begins at "
                + entry.begin
                + ", not "
                + end);
      }
      end = entry.end;
      if (end > size) {
        throw new IOException(
            file + ": cut off: " + entry.name + " ends after the end of the file");
      }
    }
    if (end < size) {
      throw new IOException(file + ": " + (size - end) + " bytes too many at the end");
    }
  }

  private static byte[] header(
      SortedMap<String, Tensor> tensors, SortedMap<String, String> metadata) {
    var out = new ByteArrayOutputStream();
    try (var json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      if (!metadata.isEmpty()) {
        json.writeObjectPropertyStart(METADATA);
        metadata.forEach(json::writeStringProperty);
        json.writeEndObject();
      }
      long begin = 0;
      for (var entry : tensors.entrySet()) {
        Tensor tensor = entry.getValue();
        long end = begin + tensor.numel() * tensor.element_size();
        long[] shape = tensor.shape();
        json.writeObjectPropertyStart(entry.getKey());
        json.writeStringProperty("dtype", typeName(entry.getKey(), tensor.scalar_type().intern()));
        json.writeName("shape").writeArray(shape, 0, shape.length);
        json.writeName("data_offsets").writeArray(new long[] {begin, end}, 0, 2);
        json.writeEndObject();
        begin = end;
      }
      json.writeEndObject();
    }
    while (out.size() % 8 != 0) {
      out.write(' '); // the data starts aligned
    }
    return out.toByteArray();
  }

  private static List<Entry> parse(Path file, byte[] header, SortedMap<String, String> metadata)
      throws IOException {
    var entries = new ArrayList<Entry>();
    try (var json = JSON.createParser(ObjectReadContext.empty(), header)) {
      expect(json, JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        expect(json, JsonToken.START_OBJECT);
        if (name.equals(METADATA)) {
          while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            expect(json, JsonToken.VALUE_STRING);
            metadata.put(json.currentName(), json.getString());
          }
        } else {
          entries.add(entry(name, json));
        }
      }
      if (json.nextToken() != null) {
        throw new IllegalArgumentException("more than one JSON object");
      }
    } catch (JacksonException | IllegalArgumentException | ArithmeticException e) {
      throw new IOException(file + ": damaged header: " + e.getMessage(), e);
    }
    return entries;
  }

  private static Entry entry(String name, JsonParser json) {
    String dtype = "";
    List<Long> shape = List.of();
    List<Long> offsets = List.of();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      switch (json.currentName()) {
        case "dtype" -> {
          expect(json, JsonToken.VALUE_STRING);
          dtype = json.getString();
        }
        case "shape" -> shape = numbers(json);
        case "data_offsets" -> offsets = numbers(json);
        default ->
            throw new IllegalArgumentException("unknown key " + json.currentName() + " of " + name);
      }
    }
    ScalarType type = TYPES.get(dtype);
    if (type == null || offsets.size() != 2) {
      throw new IllegalArgumentException(
          "cannot read " + name + " of dtype " + dtype + " at " + offsets);
    }
    return new Entry(name, type, shape, offsets.get(0), offsets.get(1));
  }

  private static List<Long> numbers(JsonParser json) {
    var numbers = new ArrayList<Long>();
    expect(json, JsonToken.START_ARRAY);
    while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
      numbers.add(json.getLongValue());
    }
    if (json.currentToken() != JsonToken.END_ARRAY) {
      throw new IllegalArgumentException("expected whole numbers, got " + json.getString());
    }
    return numbers;
  }

  private static void expect(JsonParser json, JsonToken token) {
    if (json.nextToken() != token) {
      throw new IllegalArgumentException("expected " + token + ", got " + json.currentToken());
    }
  }

  private static String typeName(String name, ScalarType type) {
    return TYPES.entrySet().stream()
        .filter(e -> e.getValue() == type)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + ": cannot save dtype " + type));
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
