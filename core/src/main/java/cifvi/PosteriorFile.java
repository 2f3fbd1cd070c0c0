package cifvi;

import cifvi.engine.Engines;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import cifvi.posterior.Placement;
import cifvi.start.internal.Frame;
import cifvi.target.HostTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Safetensors;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A posterior as one safetensors file: the parameters of its model under their names, its frame in
 * float64, and as metadata the family with its sizes, the declarations of the user's parameters,
 * the report, and a checksum of all.
 */
final class PosteriorFile {
  private static final Logger log = LoggerFactory.getLogger(PosteriorFile.class);
  private static final String FORMAT = "cifvi posterior 1";
  private static final String CHECKSUM = "checksum";
  private static final String MODEL = "model.";
  private static final String CENTRE = "frame.centre";
  private static final String FACTOR = "frame.factor";
  private static final String DENSITY = "density";

  /** There where draws are told by the density, not by the parameters alone. */
  private static final String OUTPUTS = "outputs";

  private static final Backend EXACT = Backend.cpu(Precision.FLOAT64);

  private PosteriorFile() {}

  static void write(Path file, FittedPosterior posterior) throws IOException {
    Fitted fitted = posterior.fitted();
    ParameterSpace space = posterior.parameters();
    try (var _ = new PointerScope()) {
      int d = fitted.frame().dimensions();
      var tensors = new TreeMap<String, Tensor>();
      fitted.model().parameters().state().forEach((name, t) -> tensors.put(MODEL + name, t));
      tensors.put(CENTRE, EXACT.tensor(fitted.frame().centre(), d));
      tensors.put(FACTOR, EXACT.tensor(fitted.frame().factor(), d, d));
      var texts = new TreeMap<>(posterior.report().texts());
      texts.put("format", FORMAT);
      texts.put("seed", Long.toString(posterior.seed()));
      texts.put("log_det", Double.toString(fitted.frame().logDet()));
      texts.put("steps", Integer.toString(fitted.shape().steps()));
      texts.put("placement", fitted.shape().placement().toString());
      texts.put("precision", fitted.model().parameters().backend().precision().toString());
      texts.put("hidden", Integer.toString(fitted.shape().hidden()));
      texts.put(
          "parameters",
          String.join("\n", space.parameters().stream().map(Parameter::toString).toList()));
      if (!posterior.identity().isEmpty()) {
        texts.put(DENSITY, posterior.identity());
      }
      if (!(posterior.outputs() instanceof ParameterSpace)) {
        texts.put(OUTPUTS, String.join(",", posterior.outputs().names()));
      }
      texts.put(CHECKSUM, checksum(tensors, texts));
      Safetensors.write(file, tensors, texts);
    }
  }

  private static String checksum(Map<String, Tensor> tensors, Map<String, String> texts) {
    return Long.toHexString(Safetensors.checksum(tensors, texts));
  }

  static FittedPosterior read(Path file, @Nullable LogDensity density) throws IOException {
    try (var _ = new PointerScope()) {
      Safetensors.Content content = Safetensors.read(file);
      var texts = new TreeMap<>(content.metadata());
      if (!FORMAT.equals(texts.get("format"))) {
        throw new IOException(file + ": no posterior that cifvi saved");
      }
      String expected = texts.remove(CHECKSUM);
      if (!checksum(content.tensors(), texts).equals(expected)) {
        throw new IOException(file + ": damaged: its checksum does not fit");
      }
      requireFitting(file, texts, density);
      try {
        return posterior(content.tensors(), texts, density);
      } catch (IllegalArgumentException e) {
        throw new IOException(file + ": damaged: " + e.getMessage(), e);
      }
    }
  }

  /** Refuses draws that nobody could tell, and says where the density is another one. */
  private static void requireFitting(
      Path file, SortedMap<String, String> texts, @Nullable LogDensity density) throws IOException {
    String fitted = texts.getOrDefault(DENSITY, "");
    String outputs = texts.get(OUTPUTS);
    if (outputs != null && density == null) {
      throw new IOException(
          "%s: only its density can tell its draws: load it together with %s"
              .formatted(file, fitted.isEmpty() ? "that" : fitted));
    }
    if (density == null || density.identity().equals(fitted)) {
      return;
    }
    log.warn(
        "{} is of another density, {}, not {}: weights are those of the latter",
        file,
        fitted.isEmpty() ? "of which nothing is known" : fitted,
        density.identity().isEmpty() ? "this one" : density.identity());
  }

  private static FittedPosterior posterior(
      SortedMap<String, Tensor> tensors,
      SortedMap<String, String> texts,
      @Nullable LogDensity density) {
    var space =
        ParameterSpace.of(Report.text(texts, "parameters").lines().map(Parameter::parse).toList());
    Report report = Report.of(texts);
    Frame frame =
        new Frame(
            Backend.doubles(tensor(tensors, CENTRE)),
            Backend.doubles(tensor(tensors, FACTOR)),
            Double.parseDouble(Report.text(texts, "log_det")));
    var shape =
        new Shape(
            report.family(),
            choice(texts, "placement", Placement.values()),
            space.unconstrainedSize(),
            Integer.parseInt(Report.text(texts, "steps")),
            Integer.parseInt(Report.text(texts, "hidden")));
    if (density != null && density.dimensions() != shape.dimensions()) {
      throw new IllegalArgumentException(
          "the density has " + density.dimensions() + " dimensions, not " + shape.dimensions());
    }
    Backend backend = Backend.cpu(choice(texts, "precision", Precision.values()));
    var score = density == null ? null : new DensityBatch(density, frame, new Faults(), 1);
    HostTarget.Densities unknown = (_, logP, _) -> Arrays.fill(logP, 0);
    var target = new HostTarget(backend, score == null ? unknown : score);
    Model model = shape.build(target, backend, 0);
    var state = new TreeMap<String, Tensor>();
    tensors.forEach(
        (name, tensor) -> {
          if (name.startsWith(MODEL)) {
            state.put(name.substring(MODEL.length()), tensor);
          }
        });
    model.parameters().load(state);
    var engine = Engines.choose("auto", model, new Objective.Elbo()).kind();
    var fitted = new Fitted(shape, frame, model, score, engine);
    return new FittedPosterior(
        space, density, Long.parseLong(Report.text(texts, "seed")), fitted, report, List.of(), 1);
  }

  private static <T> T choice(SortedMap<String, String> texts, String key, T[] values) {
    String text = Report.text(texts, key);
    return Arrays.stream(values)
        .filter(value -> value.toString().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(key + " " + text));
  }

  private static Tensor tensor(SortedMap<String, Tensor> tensors, String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return tensor;
  }
}
