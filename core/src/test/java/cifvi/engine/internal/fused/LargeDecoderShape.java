package cifvi.engine.internal.fused;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.nn.LargeDecoder;
import cifvi.target.BernoulliImageModel;
import cifvi.tensor.Backend;
import cifvi.vi.Model;

/**
 * A known model with the large decoder for its target.
 *
 * @param known a model of images
 * @param multiplier of the decoder's channels
 */
public record LargeDecoderShape(ImageShape known, int multiplier) implements Case {
  public static LargeDecoderShape of(boolean cif, int multiplier) {
    return new LargeDecoderShape(new ImageShape(Flow.AFFINE, cif, 3, 2, 7, 4), multiplier);
  }

  /** Without a flow. */
  public static LargeDecoderShape vae(int multiplier) {
    return new LargeDecoderShape(new ImageShape(Flow.AFFINE, false, 3, 0, 7, 4), multiplier);
  }

  @Override
  public Model build(Backend backend, long seed) {
    Model model = known.build(backend, seed);
    var decoder = new LargeDecoder(model.parameters().in("large"), known.features(), multiplier);
    return new Model(model.posterior(), new BernoulliImageModel(decoder), model.parameters());
  }

  @Override
  public Observation x(Backend backend, int rows) {
    return known.x(backend, rows);
  }
}
