package cifvi.bijection;

import cifvi.nn.Conditioner;
import cifvi.nn.Parameters;
import cifvi.nn.ResidualMade;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/**
 * z_i = RQS(w_i; net(w_{&lt;i})), log|det| = Σ_i log RQS'(w_i): the autoregressive neural spline
 * flow (NSF), {@link RationalQuadraticSpline} being the RQS.
 *
 * <p>Forward is one pass of the network, the direction in which a posterior is sampled; the inverse
 * takes d passes. With {@link Conditioner#COUPLING} it is a spline coupling layer, the RQ-NSF (C)
 * of Durkan et al., whose first half goes through splines that depend on nothing, and the inverse
 * takes one pass. In the plane the two are the same map.
 */
public final class SplineAutoregressive implements Bijection {
  private final ResidualMade made;
  private final RationalQuadraticSpline spline;

  /** The sizes of a spline flow; the paper's are 2 blocks, 8 bins and B = 3. */
  public record Options(int hidden, int blocks, int bins, double tailBound) {
    public Options {
      if (hidden < 1) {
        throw new IllegalArgumentException("hidden: expected at least 1, got " + hidden);
      }
      if (blocks < 0) {
        throw new IllegalArgumentException("blocks: expected at least 0, got " + blocks);
      }
    }

    public static Options paper(int hidden) {
      return new Options(hidden, 2, 8, 3);
    }
  }

  public SplineAutoregressive(Parameters parameters, int features, Options options) {
    this(parameters, features, Conditioner.AUTOREGRESSIVE, options);
  }

  public SplineAutoregressive(
      Parameters parameters, int features, Conditioner conditioner, Options options) {
    spline = new RationalQuadraticSpline(options.bins, options.tailBound);
    made =
        new ResidualMade(
            parameters.in("made"),
            features,
            conditioner,
            options.hidden,
            options.blocks,
            spline.rawSize());
  }

  @Override
  public Mapped forward(Tensor w) {
    Mapped elements = spline.forward(w, raw(w));
    return new Mapped(elements.value(), elements.logDet().sum(-1));
  }

  @Override
  public Mapped inverse(Tensor z) {
    Shapes.require("z", z, Shapes.BATCH, made.features());
    return Autoregressive.invert(made, z, spline::inverse);
  }

  public ResidualMade made() {
    return made;
  }

  public RationalQuadraticSpline spline() {
    return spline;
  }

  /** The raw spline parameters at w, {@code [batch, d, 3K-1]}. */
  public Tensor raw(Tensor w) {
    Shapes.require("w", w, Shapes.BATCH, made.features());
    return made.apply(w);
  }
}
