package cifvi.engine.internal.fused;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.Observation;
import cifvi.nn.ConvEncoder;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Images;
import cifvi.nn.Parameters;
import cifvi.nn.SmallDecoder;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.target.BernoulliImageModel;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Scalars;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * The sizes of an image model; its decoder, and what else has no kernel, runs as a segment.
 *
 * @param channels of r, which is a segment too where they are no multiple of four
 */
public record ImageShape(Flow flow, boolean cif, int features, int steps, int hidden, int channels)
    implements FusedModels.Case {
  /** The bijection of a step. */
  public enum Flow {
    SPLINE,
    AFFINE,
    AFFINE_AND_BATCH_NORM
  }

  private static final int INDEX = 2;

  @Override
  public Model build(Backend backend, long seed) {
    var parameters = new Parameters(backend, seed);
    var encoder = new ConvEncoder(parameters.in("encoder"), 8, 2 * features);
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      var here = parameters.in("layers." + i);
      layers.add(cif ? indexed(here) : new FlowLayer(flow(here)));
    }
    var decoder = new SmallDecoder(parameters.in("decoder"), features, channels);
    return new Model(
        new Posterior(new EncodedNormal(encoder), layers),
        new BernoulliImageModel(decoder),
        parameters);
  }

  private Layer indexed(Parameters here) {
    var network = new ImageVectorNet(here.in("r"), features, channels, 2 * INDEX);
    var r = new ConditionalNormal(ConditionalNetwork.of(network));
    return CifLayer.gaussian(here, flow(here), features, INDEX, r, 10, 10);
  }

  private Bijection flow(Parameters here) {
    return switch (flow) {
      case SPLINE ->
          Chain.of(
              new SplineAutoregressive(here, features, SplineAutoregressive.Options.paper(hidden)),
              new LuLinear(here, features),
              Permutation.random(here, features));
      case AFFINE -> Chain.of(new AffineAutoregressive(here, features, hidden, hidden), new Flip());
      case AFFINE_AND_BATCH_NORM ->
          Chain.of(
              new BatchNorm(here, features),
              new AffineAutoregressive(here, features, hidden, hidden));
    };
  }

  /** Random binary images. */
  @Override
  public Observation x(Backend backend, int rows) {
    Tensor u = new CounterRng(backend, 1, Purpose.BINARISE).uniform(rows, Images.PIXELS);
    Tensor x = u.lt(Scalars.of(0.3)).to(u.scalar_type());
    return Observation.of(x.view(rows, 1, Images.SIDE, Images.SIDE));
  }
}
