package cifvi;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.MixtureBase;
import cifvi.distribution.NormalBase;
import cifvi.nn.Conditioner;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.HierarchicalLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Placement;
import cifvi.posterior.Posterior;
import cifvi.posterior.SemiImplicitLayer;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A family in its sizes: a standard normal, flow steps, and an affine map after them that is
 * trained with them, so that splines may leave their box.
 *
 * @param placement of the affine in u, where the family has one
 * @param steps of the flow; 0 for normals, the number of them for a mixture
 * @param hidden width of the flow's networks
 */
record Shape(Family family, Placement placement, int dimensions, int steps, int hidden) {
  private static final int STEPS = 4;

  /** Twice as many, since one moves half of the features only. */
  private static final int COUPLING_STEPS = 8;

  /** K of {@link SemiImplicitLayer}. */
  private static final int EXTRA = 50;

  /** Dimension of its ε beyond that of z. */
  private static final int MORE_NOISE = 8;

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
      case COUPLING_AFFINE, COUPLING_NSF, CIF_COUPLING_AFFINE, CIF_COUPLING_NSF ->
          new Shape(family, placement, dimensions, COUPLING_STEPS, hidden);
      case HVM, SIVI -> new Shape(family, placement, dimensions, 1, 2 * hidden);
      case MIXTURE -> throw new IllegalArgumentException("modes: not known yet");
      case AUTO -> throw new IllegalArgumentException("auto is several families");
    };
  }

  /** A mixture of so many normals. */
  static Shape mixture(Placement placement, int dimensions, int components) {
    return new Shape(Family.MIXTURE, placement, dimensions, components, 0);
  }

  /** A model with the starting values of a seed. */
  Model build(Target target, Backend backend, long seed) {
    var parameters = new Parameters(backend, seed);
    Parameters here = parameters.in("base");
    if (family == Family.MEAN_FIELD) {
      return new Model(
          new Posterior(NormalBase.meanField(here, dimensions), List.of()), target, parameters);
    }
    if (family == Family.MIXTURE) {
      var modes = MixtureBase.create(here, steps, dimensions);
      return new Model(new Posterior(modes, List.of()), target, parameters);
    }
    var base = NormalBase.create(here, noise(), 1, false);
    var layers = new ArrayList<Layer>();
    for (int i = 0; i < steps; i++) {
      addStep(layers, parameters.in("layers").in(Integer.toString(i)));
    }
    layers.add(new FlowLayer(new LuLinear(parameters.in("outer"), dimensions)));
    return new Model(new Posterior(base, layers), target, parameters);
  }

  /** Dimension of the base. */
  private int noise() {
    return family == Family.SIVI ? dimensions + MORE_NOISE : dimensions;
  }

  private void addStep(List<Layer> layers, Parameters here) {
    if (family == Family.HVM) {
      layers.add(HierarchicalLayer.gaussian(here, dimensions, dimensions, hidden));
      return;
    }
    if (family == Family.SIVI) {
      layers.add(SemiImplicitLayer.gaussian(here, noise(), dimensions, hidden, EXTRA));
      return;
    }
    Bijection g = new Chain(List.of(flow(here), reordered(here)));
    if (!family.cif()) {
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
      case MAF, CIF_MAF, COUPLING_AFFINE, CIF_COUPLING_AFFINE ->
          new AffineAutoregressive(here, dimensions, conditioner(), hidden, hidden);
      default ->
          new SplineAutoregressive(
              here,
              dimensions,
              conditioner(),
              new SplineAutoregressive.Options(hidden, BLOCKS, BINS, TAIL_BOUND));
    };
  }

  private Conditioner conditioner() {
    return switch (family) {
      case COUPLING_AFFINE, COUPLING_NSF, CIF_COUPLING_AFFINE, CIF_COUPLING_NSF ->
          Conditioner.COUPLING;
      default -> Conditioner.AUTOREGRESSIVE;
    };
  }

  /** At random or, so that every feature of a coupling comes first, moved on by half of them. */
  private Permutation reordered(Parameters here) {
    if (conditioner() == Conditioner.AUTOREGRESSIVE) {
      return Permutation.random(here, dimensions);
    }
    int half = dimensions / 2;
    return new Permutation(
        here, LongStream.range(half, (long) half + dimensions).map(j -> j % dimensions).toArray());
  }

  /** Dimension of the index u of a layer. */
  private int index() {
    return Math.max(1, Math.min(dimensions, 8) / 2);
  }
}
