package cifvi.engine.internal.graph;

import cifvi.bijection.AffineAutoregressive;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.nn.ConvEncoder;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.nn.SmallDecoder;
import cifvi.posterior.CifLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.target.BernoulliImageModel;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.List;

/**
 * An r of every kind: two of them look at the image, with different sizes, and are branches.
 *
 * @param decoder whether the target is a segment, not an operation
 */
record MixedNetworks(boolean decoder) implements Case {
  private static final int FEATURES = 2;

  @Override
  public Model build(Backend backend, long seed) {
    var parameters = new Parameters(backend, seed);
    var own = new Mlp(parameters.in("own"), FEATURES, 4);
    List<Layer> layers =
        List.of(
            image(parameters.in("layers.0"), 8, 3),
            layer(parameters.in("layers.1"), plain(parameters.in("layers.1")), 2),
            layer(parameters.in("layers.2"), (w, _) -> own.apply(w.sin()), 2),
            image(parameters.in("layers.3"), 4, 2));
    var encoder = new ConvEncoder(parameters.in("encoder"), 8, 2 * FEATURES);
    Target target =
        decoder
            ? new BernoulliImageModel(new SmallDecoder(parameters.in("decoder"), FEATURES, 4))
            : MixtureTarget.paper(backend, 9);
    return new Model(new Posterior(new EncodedNormal(encoder), layers), target, parameters);
  }

  private static Layer image(Parameters here, int channels, int index) {
    var network = new ImageVectorNet(here.in("r"), FEATURES, channels, 2 * index);
    return layer(here, ConditionalNetwork.of(network), index);
  }

  private static ConditionalNetwork plain(Parameters here) {
    return ConditionalNetwork.of(new Mlp(here.in("r"), FEATURES, 5, 4));
  }

  private static Layer layer(Parameters here, ConditionalNetwork r, int index) {
    var g = new AffineAutoregressive(here, FEATURES, 6, 6);
    return CifLayer.gaussian(here, g, FEATURES, index, new ConditionalNormal(r), 7);
  }

  @Override
  public Observation x(Backend backend, int rows) {
    return new ImageShape(ImageShape.Flow.AFFINE, true, FEATURES, 1, 1, 4).x(backend, rows);
  }
}
