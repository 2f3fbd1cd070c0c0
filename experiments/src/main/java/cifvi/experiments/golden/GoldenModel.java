package cifvi.experiments.golden;

import cifvi.distribution.Base;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.nn.ConvEncoder;
import cifvi.nn.LargeDecoder;
import cifvi.nn.Network;
import cifvi.nn.Parameters;
import cifvi.nn.SmallDecoder;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.target.BernoulliImageModel;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The model a file describes, in float64, with the file's parameters and buffers loaded strictly.
 */
record GoldenModel(GoldenFile file, Map<String, Numbers> params, Model model)
    implements AutoCloseable {
  private static final Pattern LAYER = Pattern.compile("^L(\\d+)\\.");

  static GoldenModel build(GoldenFile file) {
    Map<String, Numbers> params = file.required("params");
    Map<String, Numbers> buffers = file.section("buffers");
    var parameters = new Parameters(file.backend(), 0);
    var builder = new GoldenLayers(file, params, buffers);
    var layers = new ArrayList<Layer>();
    for (var entry : file.layers()) {
      if (entry.index() != layers.size()) {
        throw new IllegalArgumentException(
            "layers_in_sampling_order: expected index " + layers.size() + ", got " + entry.index());
      }
      Parameters at = parameters.in("layers").in(Integer.toString(entry.index()));
      layers.add(builder.layer(entry.type(), "L" + entry.index() + ".", at));
    }
    var posterior = new Posterior(base(file, params, buffers, parameters.in("base")), layers);
    var model = new Model(posterior, target(file, params, parameters.in("target")), parameters);
    load(parameters, params, buffers);
    parameters.training(file.training());
    return new GoldenModel(file, params, model);
  }

  /**
   * Sets all parameters and buffers, and checks the masks, under the names {@code ours} gives them.
   */
  static void load(
      Parameters parameters, Map<String, Numbers> params, Map<String, Numbers> buffers) {
    var state = new HashMap<String, Tensor>();
    params.forEach((name, numbers) -> state.put(ours(name), numbers.on(parameters.backend())));
    buffers.forEach(
        (name, numbers) -> {
          if (name.endsWith(".mask")) {
            requireMask(parameters, name, numbers);
          } else if (name.endsWith("permutation")) {
            state.put(ours(name), parameters.backend().longs(numbers.longs(), numbers.shape()));
          } else if (!name.endsWith(".degrees")) { // the masks say the same
            state.put(ours(name), numbers.on(parameters.backend()));
          }
        });
    state.keySet().removeIf(name -> name.endsWith("inverse_permutation"));
    parameters.load(state);
  }

  private static void requireMask(Parameters parameters, String name, Numbers numbers) {
    var flat = parameters.flat();
    String weight = ours(name).replaceAll("mask$", "weight");
    @Nullable Tensor mask = flat.mask();
    if (mask == null || !numbers.on(parameters.backend()).equal(flat.view(mask, weight))) {
      throw new IllegalArgumentException(
          "buffer " + name + " differs from the mask of this library");
    }
  }

  /** {@code L3.made.0.weight} is called {@code layers.3.made.0.weight} here. */
  static String ours(String name) {
    return LAYER.matcher(name).replaceFirst("layers.$1.");
  }

  private static Base base(
      GoldenFile file,
      Map<String, Numbers> params,
      Map<String, Numbers> buffers,
      Parameters parameters) {
    Numbers conv = params.get("base.encoder.conv.weight");
    if (conv != null) {
      requireStride(file);
      int outputs = size(params, "base.encoder.fc.bias", 0);
      return new EncodedNormal(new ConvEncoder(parameters.in("encoder"), conv.size(0), outputs));
    }
    boolean learn = params.containsKey("base.log_stddev");
    return NormalBase.create(parameters, size(buffers, "base.mean", 0), 1, learn);
  }

  static void requireStride(GoldenFile file) {
    file.requireConfig(4, "kernel_size", "kernel");
    file.requireConfig(2, "stride");
    file.requireConfig(1, "padding");
  }

  private static Target target(
      GoldenFile file, Map<String, Numbers> params, Parameters parameters) {
    return switch (file.type()) {
      case "mixture" -> mixture(file, parameters.backend());
      case "images" ->
          new BernoulliImageModel(decoder(params, "target.decoder.", parameters.in("decoder")));
      default ->
          throw new IllegalArgumentException(
              "type: expected mixture or images, got " + file.type());
    };
  }

  static MixtureTarget mixture(GoldenFile file, Backend backend) {
    int components = file.requiredConfig("K", "target_components");
    double limit = file.config(Math.sqrt(components) - 1, "limit", "target_limit");
    return MixtureTarget.lattice(
        backend, components, limit, file.config(0.25, "std", "target_stddev"));
  }

  static Network decoder(Map<String, Numbers> params, String prefix, Parameters parameters) {
    if (params.containsKey(prefix + "initial.weight")) {
      return new LargeDecoder(
          parameters,
          size(params, prefix + "initial.weight", 1),
          size(params, prefix + "final.weight", 1));
    }
    return new SmallDecoder(
        parameters,
        size(params, prefix + "fc.weight", 1),
        size(params, prefix + "convt.weight", 0));
  }

  static int size(Map<String, Numbers> numbers, String name, int axis) {
    Numbers found = numbers.get(name);
    if (found == null) {
      throw new IllegalArgumentException("missing " + name);
    }
    return found.size(axis);
  }

  Backend backend() {
    return model.parameters().backend();
  }

  /** The data: images, or as many rows of nothing as there is base noise. */
  Observation observation(long rows) {
    return file.type().equals("images") ? Observation.of(input("x")) : Observation.none(rows);
  }

  Tensor input(String name) {
    Numbers numbers = file.required("inputs").get(name);
    if (numbers == null) {
      throw new IllegalArgumentException("missing inputs " + name);
    }
    return numbers.on(backend());
  }

  ReplayRng noise() {
    return new ReplayRng(backend(), file.required("noise"));
  }

  /** Compares the gradients of all parameters after a backward pass. */
  void compareGradients(Comparison comparison) {
    gradients(model.parameters(), List.copyOf(params.keySet()), comparison);
  }

  static void gradients(Parameters parameters, List<String> names, Comparison comparison) {
    var flat = parameters.flat();
    flat.maskGradient();
    names.forEach(name -> comparison.gradient(name, flat.view(flat.gradient(), ours(name))));
  }

  @Override
  public void close() {
    model.close();
  }
}
