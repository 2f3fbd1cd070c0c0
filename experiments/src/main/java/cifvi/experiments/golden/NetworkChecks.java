package cifvi.experiments.golden;

import cifvi.nn.ConvEncoder;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.LargeDecoder;
import cifvi.nn.Parameters;
import cifvi.nn.SmallDecoder;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** Files of a single network, with what happens inside it. */
final class NetworkChecks {
  private NetworkChecks() {}

  static void check(GoldenFile file, Comparison comparison) {
    ComponentChecks.expectAll(file, comparison);
    Map<String, Numbers> params = file.required("params");
    try (var parameters = new Parameters(file.backend(), 0)) {
      var inputs = new Inputs(file, file.backend());
      GoldenModel.requireStride(file);
      var net = build(file.type(), params, parameters);
      GoldenModel.load(parameters, params, Map.of());
      List<String> names =
          file.type().equals("r-image")
              ? List.of("w", "x")
              : List.of(net instanceof ConvEncoder ? "x" : "z");
      Tensor y = run(net, inputs, comparison);
      comparison.output("y", y);
      Tensor loss = inputs.weighted("cotangent_y", y);
      inputs.requireAllUsed();
      ComponentChecks.finish(loss, comparison);
      GoldenModel.gradients(parameters, List.copyOf(params.keySet()), comparison);
      names.forEach(name -> comparison.gradient("input." + name, inputs.get(name).grad()));
    }
  }

  private static Object build(String type, Map<String, Numbers> params, Parameters parameters) {
    return switch (type) {
      case "encoder" ->
          new ConvEncoder(
              parameters,
              GoldenModel.size(params, "conv.weight", 0),
              GoldenModel.size(params, "fc.bias", 0));
      case "small-decoder", "large-decoder" -> GoldenModel.decoder(params, "", parameters);
      case "r-image" ->
          new ImageVectorNet(
              parameters,
              GoldenModel.size(params, "fc_latent.weight", 1),
              GoldenModel.size(params, "convnet.conv.weight", 0),
              GoldenModel.size(params, "convnet.fc.weight", 0));
      default -> throw new IllegalArgumentException("unknown network " + type);
    };
  }

  private static Tensor run(Object net, Inputs inputs, Comparison comparison) {
    return switch (net) {
      case ConvEncoder encoder -> {
        comparison.output("conv_tanh", encoder.convolved(inputs.get("x")));
        yield encoder.apply(inputs.get("x"));
      }
      case SmallDecoder decoder -> {
        comparison.output("fc_tanh", decoder.hidden(inputs.get("z")));
        yield decoder.apply(inputs.get("z"));
      }
      case LargeDecoder decoder -> {
        List<Tensor> stages = decoder.stages(inputs.get("z"));
        comparison.output("initial", stages.getFirst());
        for (int i = 1; i < stages.size(); i++) {
          comparison.output("block" + (i - 1), stages.get(i));
        }
        yield decoder.apply(inputs.get("z"));
      }
      case ImageVectorNet r -> {
        Tensor latent = r.latent(inputs.get("w"));
        comparison.output("fc_latent", latent);
        comparison.output("upsampled", r.upsampled(latent));
        yield r.apply(inputs.get("w"), inputs.get("x"));
      }
      default -> throw new IllegalArgumentException("unknown network " + net);
    };
  }
}
