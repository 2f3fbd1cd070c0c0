package cifvi;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.NormalBase;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Placement;
import cifvi.posterior.Posterior;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;

/**
 * A family in its sizes: a standard normal, flow steps, and an affine map after them that is
 * trained with them, so that splines may leave their box.
 *
 * @param placement of the affine in u, where the family has one
 * @param steps of the flow; 0 for normals
 * @param hidden width of the flow's networks
 */
record Shape(Family family, Placement placement, int dimensions, int steps, int hidden) {
  private static final int STEPS = 4;
  private static final int LEAST_HIDDEN = 32;
  private static final int MOST_HIDDEN = 128;
  private static final int BLOCKS = 2;
  private static final int BINS = 8;
  private static final double TAIL_BOUND = 4;

  /** The sizes that a family has by default. */
  static Shape of(Family family, Placement placement, int dimensions) {
    int hidden = Math.clamp(4L * dimensions, LEAST_HIDDEN, MOST_HIDDEN);
    return switch (family) {
      case MEAN_FIELD, FULL_RANK -> new Shape(family, placement, dimensions, 0, 0);
      case MAF, NSF, CIF_MAF, CIF_NSF -> new Shape(family, placement, dimensions, STEPS, hidden);
      case AUTO -> throw new IllegalArgumentException("auto is several families");
    };
  }

  /** A model with the starting values of a seed. */
  Model build(Target target, Backend backend, long seed) {
    var parameters = new Parameters(backend, seed);
    Parameters here = parameters.in("base");
    if (family == Family.MEAN_FIELD) {
      return new Model(
          new Posterior(NormalBase.meanField(here, dimensions), List.of()), target, parameters);
    }
    var base = NormalBase.create(here, dimensions, 1, false);
    var layers = new ArrayList<Layer>();
    for (int i = 0; i < steps; i++) {
      addStep(layers, parameters.in("layers").in(Integer.toString(i)));
    }
    layers.add(new FlowLayer(new LuLinear(parameters.in("outer"), dimensions)));
    return new Model(new Posterior(base, layers), target, parameters);
  }

  private void addStep(List<Layer> layers, Parameters here) {
    Bijection g = new Chain(List.of(flow(here), Permutation.random(here, dimensions)));
    if (!family.indexed()) {
      layers.add(new FlowLayer(g));
      return;
    }
    switch (placement) {
      case PAPER -> layers.add(indexed(here, g));
      case RELEASED -> {
        layers.add(indexed(here, Chain.IDENTITY));
        layers.add(new FlowLayer(g));
      }
    }
  }

  private Layer indexed(Parameters here, Bijection g) {
    return CifLayer.gaussian(here, g, dimensions, index(), LEAST_HIDDEN, LEAST_HIDDEN);
  }

  private Bijection flow(Parameters here) {
    return switch (family) {
      case MAF, CIF_MAF -> new AffineAutoregressive(here, dimensions, hidden, hidden);
      default ->
          new SplineAutoregressive(
              here, dimensions, new SplineAutoregressive.Options(hidden, BLOCKS, BINS, TAIL_BOUND));
    };
  }

  /** Dimension of the index u of a layer. */
  private int index() {
    return Math.max(1, Math.min(dimensions, 8) / 2);
  }
}
