package cifvi.density;

import cifvi.engine.Engines;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Safetensors;
import cifvi.tensor.Torch;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/**
 * A density as one safetensors file: the parameters of its model under their names, its units in
 * float64, and as metadata its sizes and a checksum of all.
 */
final class DensityFile {
  private static final String FORMAT = "cifvi density 1";
  private static final String CHECKSUM = "checksum";
  private static final String MIXTURE = "mixture"; // older files have none
  private static final String MODEL = "model.";
  private static final String CENTRE = "units.centre";
  private static final String SCALE = "units.scale";
  private static final Backend EXACT = Backend.cpu(Precision.FLOAT64);

  private DensityFile() {}

  static void write(Path file, FittedDensity density) throws IOException {
    DensityShape shape = density.shape();
    Standardisation units = density.units();
    try (var _ = new PointerScope()) {
      var tensors = new TreeMap<String, Tensor>();
      density.model().parameters().state().forEach((name, t) -> tensors.put(MODEL + name, t));
      tensors.put(CENTRE, EXACT.tensor(units.centre(), units.columns()));
      tensors.put(SCALE, EXACT.tensor(units.scale(), units.columns()));
      var texts = new TreeMap<String, String>();
      texts.put("format", FORMAT);
      texts.put("family", shape.family().toString());
      texts.put("placement", shape.placement().toString());
      texts.put("inference", shape.inference().toString());
      texts.put("features", Integer.toString(shape.features()));
      texts.put("given", Integer.toString(shape.given()));
      texts.put("flow_steps", Integer.toString(shape.flowSteps()));
      texts.put("hidden", Integer.toString(shape.hidden()));
      texts.put("bins", Integer.toString(shape.bins()));
      texts.put("tail_bound", Double.toString(shape.tailBound()));
      texts.put("index", Integer.toString(shape.index()));
      texts.put("side_hidden", Integer.toString(shape.sideHidden()));
      texts.put(MIXTURE, Integer.toString(shape.mixture()));
      texts.put("validation_elbo", Double.toString(density.validationElbo()));
      texts.put("precision", density.model().parameters().backend().precision().toString());
      texts.put(
          "order",
          Arrays.stream(density.order())
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(" ")));
      texts.put(CHECKSUM, checksum(tensors, texts));
      Safetensors.write(file, tensors, texts);
    }
  }

  static FittedDensity read(Path file) throws IOException {
    Torch.load();
    try (var _ = new PointerScope()) {
      Safetensors.Content content = Safetensors.read(file);
      var texts = new TreeMap<>(content.metadata());
      if (!FORMAT.equals(texts.get("format"))) {
        throw new IOException(file + ": no density that cifvi saved");
      }
      String expected = texts.remove(CHECKSUM);
      if (!checksum(content.tensors(), texts).equals(expected)) {
        throw new IOException(file + ": damaged: its checksum does not fit");
      }
      try {
        return density(content.tensors(), texts);
      } catch (IllegalArgumentException e) {
        throw new IOException(file + ": damaged: " + e.getMessage(), e);
      }
    }
  }

  private static FittedDensity density(
      SortedMap<String, Tensor> tensors, SortedMap<String, String> texts) {
    var shape =
        new DensityShape(
            choice(texts, "family", DensityFamily.values()),
            choice(texts, "placement", Placement.values()),
            choice(texts, "inference", DensityShape.Inference.values()),
            number(texts, "features"),
            number(texts, "given"),
            number(texts, "flow_steps"),
            number(texts, "hidden"),
            number(texts, "bins"),
            Double.parseDouble(text(texts, "tail_bound")),
            number(texts, "index"),
            number(texts, "side_hidden"),
            texts.containsKey(MIXTURE) ? number(texts, MIXTURE) : 1);
    var units =
        new Standardisation(
            Backend.doubles(tensor(tensors, CENTRE)), Backend.doubles(tensor(tensors, SCALE)));
    int[] order =
        Arrays.stream(text(texts, "order").split(" ")).mapToInt(Integer::parseInt).toArray();
    Backend backend = Backend.cpu(choice(texts, "precision", Precision.values()));
    Model model = shape.build(backend, 0);
    var state = new TreeMap<String, Tensor>();
    tensors.forEach(
        (name, tensor) -> {
          if (name.startsWith(MODEL)) {
            state.put(name.substring(MODEL.length()), tensor);
          }
        });
    model.parameters().load(state);
    var engine = Engines.choose("auto", model, new Objective.Elbo()).kind();
    double validation = Double.parseDouble(text(texts, "validation_elbo"));
    return new FittedDensity(shape, units, order, model, engine, 1, validation);
  }

  private static String checksum(Map<String, Tensor> tensors, Map<String, String> texts) {
    return Long.toHexString(Safetensors.checksum(tensors, texts));
  }

  private static <T> T choice(SortedMap<String, String> texts, String key, T[] values) {
    String text = text(texts, key);
    return Arrays.stream(values)
        .filter(value -> value.toString().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(key + " " + text));
  }

  private static int number(SortedMap<String, String> texts, String key) {
    return Integer.parseInt(text(texts, key));
  }

  private static String text(SortedMap<String, String> texts, String key) {
    String text = texts.get(key);
    if (text == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return text;
  }

  private static Tensor tensor(SortedMap<String, Tensor> tensors, String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return tensor;
  }
}
