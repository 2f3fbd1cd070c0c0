package cifvi.experiments.golden;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.IndexedBijection;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import java.util.ArrayList;
import java.util.Map;

/**
 * Builds layers of the sizes a file's tensors have; names in the file begin with {@code prefix}.
 */
record GoldenLayers(GoldenFile file, Map<String, Numbers> params, Map<String, Numbers> buffers) {
  Layer layer(String type, String prefix, Parameters parameters) {
    return type.equals("cif-affine")
        ? cif(prefix, parameters)
        : new FlowLayer(bijection(type, prefix, parameters));
  }

  Bijection bijection(String type, String prefix, Parameters parameters) {
    return switch (type) {
      case "perm" -> new Permutation(parameters, get(buffers, prefix + "permutation").longs());
      case "flip" -> new Flip();
      case "lu" -> lu(prefix, parameters);
      case "nsf" -> nsf(prefix, parameters);
      case "maf" -> maf(prefix, parameters);
      case "batchnorm" -> batchNorm(prefix, parameters);
      default -> throw new IllegalArgumentException("unknown layer type " + type);
    };
  }

  private LuLinear lu(String prefix, Parameters parameters) {
    file.requireConfig(1e-3, file.type().equals("lu") ? "eps" : "lu_eps");
    return new LuLinear(parameters, param(prefix + "lu.bias").size(0));
  }

  private SplineAutoregressive nsf(String prefix, Parameters parameters) {
    Numbers first = param(prefix + "made.initial.weight");
    int features = first.size(1);
    int outputs = param(prefix + "made.final.weight").size(0) / features;
    int blocks = count(prefix + "made.blocks.", ".linear0.weight");
    double bound = file.config(3, "tail_bound");
    var options = new SplineAutoregressive.Options(first.size(0), blocks, (outputs + 1) / 3, bound);
    return new SplineAutoregressive(parameters, features, options);
  }

  private AffineAutoregressive maf(String prefix, Parameters parameters) {
    file.requireTanh();
    int features = param(prefix + "made.0.weight").size(1);
    int[] hidden = new int[count(prefix + "made.", ".weight") - 1];
    for (int i = 0; i < hidden.length; i++) {
      hidden[i] = param(prefix + "made." + i + ".weight").size(0);
    }
    return new AffineAutoregressive(parameters, features, hidden);
  }

  private BatchNorm batchNorm(String prefix, Parameters parameters) {
    file.requireConfig(1e-5, "eps");
    file.requireConfig(0.1, "momentum", "batch_norm_momentum");
    return new BatchNorm(parameters, param(prefix + "shift").size(0));
  }

  private CifLayer cif(String prefix, Parameters parameters) {
    Mlp q = mlp(prefix + "q.", parameters.in("q"));
    return new CifLayer(
        indexed(prefix, parameters),
        new ConditionalNormal(q),
        r(prefix + "r.", parameters.in("r")));
  }

  /** The affine in u alone: files hold the released placement. */
  IndexedBijection indexed(String prefix, Parameters parameters) {
    file.requireTanh();
    return new IndexedBijection(Chain.IDENTITY, mlp(prefix + "st.", parameters.in("st")));
  }

  private Conditional r(String prefix, Parameters parameters) {
    if (!params.containsKey(prefix + "fc_latent.weight")) {
      return new ConditionalNormal(mlp(prefix, parameters));
    }
    var network =
        new ImageVectorNet(
            parameters,
            param(prefix + "fc_latent.weight").size(1),
            param(prefix + "convnet.conv.weight").size(0),
            param(prefix + "convnet.fc.weight").size(0));
    return new ConditionalNormal(ConditionalNetwork.of(network));
  }

  private Mlp mlp(String prefix, Parameters parameters) {
    int linears = count(prefix, ".weight");
    var widths = new ArrayList<Long>();
    widths.add((long) param(prefix + "0.weight").size(1));
    for (int i = 0; i < linears; i++) {
      widths.add((long) param(prefix + i + ".weight").size(0));
    }
    return new Mlp(parameters, widths.stream().mapToLong(n -> n).toArray());
  }

  /** How many of {@code prefix0suffix}, {@code prefix1suffix}, … the file has. */
  private int count(String prefix, String suffix) {
    int n = 0;
    while (params.containsKey(prefix + n + suffix)) {
      n++;
    }
    return n;
  }

  private Numbers param(String name) {
    return get(params, name);
  }

  private static Numbers get(Map<String, Numbers> numbers, String name) {
    Numbers found = numbers.get(name);
    if (found == null) {
      throw new IllegalArgumentException("missing " + name);
    }
    return found;
  }
}
