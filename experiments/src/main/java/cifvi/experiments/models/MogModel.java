package cifvi.experiments.models;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.RationalQuadraticSpline;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.ConditionalNormalMixture;
import cifvi.distribution.ConditionalSpline;
import cifvi.distribution.NormalBase;
import cifvi.nn.Conditioner;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.Placement;
import cifvi.posterior.Posterior;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.Locale;

/**
 * The models of paper section 4.1: five spline flow steps in the plane, plain or continuously
 * indexed by u in R.
 *
 * @param cif whether the steps are indexed
 * @param components of the target, 9 or 16
 * @param sigma0 standard deviation of the base, where it starts if learnt
 * @param outerAffine whether a trainable z = A w + b follows the last step, with which a flow can
 *     leave the box of its splines
 * @param coupling whether steps are affine coupling layers in the place of splines
 * @param r what r(u|z) is
 */
public record MogModel(
    boolean cif,
    int components,
    double sigma0,
    boolean learnSigma0,
    double tailBound,
    Placement placement,
    boolean outerAffine,
    boolean coupling,
    R r) {
  /** The auxiliary density of every step. */
  public enum R {
    NORMAL,
    MIXTURE,
    FLOW;

    /** With the parameters of its network in the given place. */
    Conditional build(Parameters parameters) {
      return switch (this) {
        case NORMAL -> new ConditionalNormal(network(parameters, 2 * INDEX));
        case MIXTURE ->
            new ConditionalNormalMixture(
                ConditionalNetwork.of(
                    network(parameters, ConditionalNormalMixture.outputs(MIXED, INDEX))),
                MIXED);
        case FLOW -> {
          var spline = new RationalQuadraticSpline(8, 3);
          var network = network(parameters, ConditionalSpline.outputs(spline, INDEX));
          yield new ConditionalSpline(ConditionalNetwork.of(network), spline);
        }
      };
    }

    private static Mlp network(Parameters parameters, int outputs) {
      return new Mlp(parameters, FEATURES, SIDE_HIDDEN, SIDE_HIDDEN, outputs);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Flow steps between the base and z. */
  public static final int STEPS = 5;

  /** Of affine couplings, each of which bends the plane less than a spline does. */
  private static final int COUPLING_STEPS = 10;

  private static final int FEATURES = 2;
  private static final int HIDDEN = 32;
  private static final int INDEX = 1;
  private static final int SIDE_HIDDEN = 10;

  /** Normals of a mixture r. */
  private static final int MIXED = 5;

  public MogModel {
    if (components != 9 && components != 16) {
      throw new IllegalArgumentException("components: expected 9 or 16, got " + components);
    }
  }

  /** A model of the paper: nothing after the last step. */
  public MogModel(
      boolean cif,
      int components,
      double sigma0,
      boolean learnSigma0,
      double tailBound,
      Placement placement) {
    this(cif, components, sigma0, learnSigma0, tailBound, placement, false, false, R.NORMAL);
  }

  /** The paper's defaults: K = 9, σ₀ = 1, B = 3. */
  public static MogModel paper(boolean cif, Placement placement) {
    return new MogModel(cif, 9, 1, false, 3, placement);
  }

  private int steps() {
    return coupling ? COUPLING_STEPS : STEPS;
  }

  public Model build(Backend backend, long seed) {
    var parameters = new Parameters(backend, seed);
    var base = NormalBase.create(parameters.in("base"), FEATURES, sigma0, learnSigma0);
    var stack = new FlowStack(parameters);
    var options = new SplineAutoregressive.Options(HIDDEN, 2, 8, tailBound);
    FlowStack.Part flow =
        p ->
            coupling
                ? new AffineAutoregressive(p, FEATURES, Conditioner.COUPLING, HIDDEN, HIDDEN)
                : new SplineAutoregressive(p, FEATURES, options);
    FlowStack.Part permutation =
        p -> coupling ? new Permutation(p, 1, 0) : Permutation.random(p, FEATURES);
    FlowStack.Indexed indexed =
        (g, p) ->
            CifLayer.gaussian(p, g, FEATURES, INDEX, r.build(p.in("r")), SIDE_HIDDEN, SIDE_HIDDEN);
    stack.flow(permutation);
    for (int i = 0; i < steps(); i++) {
      if (cif) {
        stack.cif(placement, indexed, flow, permutation);
      } else {
        stack.flow(flow, permutation);
      }
    }
    if (outerAffine) {
      stack.flow(p -> new LuLinear(p, FEATURES));
    }
    return new Model(
        new Posterior(base, stack.layers()), MixtureTarget.paper(backend, components), parameters);
  }
}
