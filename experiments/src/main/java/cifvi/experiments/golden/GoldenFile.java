package cifvi.experiments.golden;

import cifvi.tensor.Backend;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One reference-vector file, parsed and checked for sections nobody knows. */
final class GoldenFile {
  private static final JsonMapper JSON = new JsonMapper();

  /** Ten times what the largest file there is unpacks to. */
  private static final int MOST_BYTES = 16 << 20;

  /** Of components, samples and bins. */
  private static final int MOST = 10_000;

  private static final int MOST_LAYERS = 100;
  private static final Set<String> SECTIONS =
      Set.of(
          "case",
          "kind",
          "type",
          "note",
          "config",
          "mode",
          "layers_in_sampling_order",
          "params",
          "buffers",
          "inputs",
          "noise",
          "outputs",
          "loss",
          "loss_definition",
          "grads",
          "estimate",
          "steps",
          "buffers_after_forward");

  /** A layer of the model, by its place in the list and its type. */
  record LayerEntry(int index, String type, List<String> params) {}

  private final JsonNode root;
  private final Backend backend;

  private GoldenFile(JsonNode root, Backend backend) {
    this.root = root;
    this.backend = backend;
    if (!root.isObject()) {
      throw new IllegalArgumentException("expected one JSON object");
    }
    root.propertyStream()
        .map(java.util.Map.Entry::getKey)
        .filter(key -> !SECTIONS.contains(key))
        .findFirst()
        .ifPresent(
            key -> {
              throw new IllegalArgumentException("unknown section " + key);
            });
  }

  /** Reads {@code .json} or {@code .json.gz}, whose numbers are to be checked on a backend. */
  static GoldenFile read(Path file, Backend backend) throws IOException {
    try (InputStream in = open(file)) {
      byte[] text = in.readNBytes(MOST_BYTES + 1);
      if (text.length > MOST_BYTES) {
        throw new IOException("holds more than " + MOST_BYTES + " bytes");
      }
      return new GoldenFile(JSON.readTree(text), backend);
    } catch (EOFException e) {
      throw new IOException("cut short: the compressed data ends too early", e);
    } catch (JacksonException e) {
      throw new IOException("not readable as JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static InputStream open(Path file) throws IOException {
    InputStream raw = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
  }

  Backend backend() {
    return backend;
  }

  String caseName() {
    return text("case");
  }

  String kind() {
    return text("kind");
  }

  String type() {
    return text("type");
  }

  /** Whether batch norm uses the statistics of the batch. */
  boolean training() {
    return switch (root.path("mode").asString("eval")) {
      case "train" -> true;
      case "eval" -> false;
      default ->
          throw new IllegalArgumentException(
              "mode: expected train or eval, got " + root.path("mode"));
    };
  }

  boolean has(String section) {
    return root.has(section);
  }

  /** The first of these keys that the configuration has, or the default. */
  double config(double otherwise, String... keys) {
    for (String key : keys) {
      JsonNode value = root.path("config").path(key);
      if (value.isNumber()) {
        return value.asDouble();
      }
    }
    return otherwise;
  }

  /** A whole number that the configuration must have. */
  int requiredConfig(String... keys) {
    double value = config(Double.NaN, keys);
    if (Double.isNaN(value)) {
      throw new IllegalArgumentException("config: missing " + String.join(" or ", keys));
    }
    if (value != Math.rint(value) || value < 1 || value > MOST) {
      throw new IllegalArgumentException(
          "config %s: expected 1 to %d, got %s".formatted(String.join(" or ", keys), MOST, value));
    }
    return (int) value;
  }

  /** Refuses a configuration that names another value than the one this library builds in. */
  void requireConfig(double expected, String... keys) {
    double value = config(expected, keys);
    if (value != expected) {
      throw new IllegalArgumentException(
          "config " + keys[0] + ": only " + expected + " is supported, got " + value);
    }
  }

  /** Refuses another activation than tanh. */
  void requireTanh() {
    String activation = root.path("config").path("activation").asString("tanh");
    if (!activation.equals("tanh")) {
      throw new IllegalArgumentException(
          "config activation: only tanh is supported, got " + activation);
    }
  }

  List<LayerEntry> layers() {
    if (root.path("layers_in_sampling_order").size() > MOST_LAYERS) {
      throw new IllegalArgumentException(
          "layers_in_sampling_order: expected at most " + MOST_LAYERS + " layers");
    }
    return root.path("layers_in_sampling_order")
        .valueStream()
        .map(
            node ->
                new LayerEntry(
                    node.path("index").asInt(-1),
                    node.path("type").asString("none"),
                    node.path("params").valueStream().map(JsonNode::asString).toList()))
        .toList();
  }

  /** The tensors of a section by name; empty where the section is not there. */
  SequencedMap<String, Numbers> section(String name) {
    return tensors(name, root.path(name));
  }

  /** The tensors of a section that must be there. */
  SequencedMap<String, Numbers> required(String name) {
    if (!root.path(name).isObject()) {
      throw new IllegalArgumentException("missing section " + name);
    }
    return section(name);
  }

  @Nullable Numbers number(String name) {
    return root.has(name) ? Numbers.read(name, root.path(name)) : null;
  }

  List<JsonNode> steps() {
    if (!root.path("steps").isArray() || root.path("steps").isEmpty()) {
      throw new IllegalArgumentException("missing section steps");
    }
    return root.path("steps").valueStream().toList();
  }

  static SequencedMap<String, Numbers> tensors(String section, JsonNode node) {
    var tensors = new LinkedHashMap<String, Numbers>();
    node.propertyStream()
        .forEach(
            e -> tensors.put(e.getKey(), Numbers.read(section + " " + e.getKey(), e.getValue())));
    return tensors;
  }

  private String text(String key) {
    if (!root.path(key).isString()) {
      throw new IllegalArgumentException("missing " + key);
    }
    return root.path(key).asString();
  }
}
