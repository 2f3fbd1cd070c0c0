package cifvi.tensor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bytedeco.pytorch.Tensor;
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
 * The JSON at the beginning of a safetensors file: where each tensor lies in the data, and texts.
 */
record SafetensorsHeader(List<Entry> entries, SortedMap<String, String> metadata) {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final String METADATA = "__metadata__";
  private static final Map<String, ScalarType> TYPES =
      Map.of("F32", ScalarType.Float, "F64", ScalarType.Double, "I64", ScalarType.Long);

  /** A tensor of the file, its data from {@code begin} to {@code end}. */
  record Entry(String name, ScalarType type, List<Long> shape, long begin, long end) {
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

  /** The header of a file with these tensors, as long as to leave the data aligned. */
  static byte[] write(SortedMap<String, Tensor> tensors, SortedMap<String, String> metadata) {
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

  /** Reads a header, refusing one that is damaged with the reason. */
  static SafetensorsHeader parse(Path file, byte[] header) throws IOException {
    var entries = new ArrayList<Entry>();
    var metadata = new TreeMap<String, String>();
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
    return new SafetensorsHeader(entries, metadata);
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
}
