package cifvi.density;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.IndexedBijection;
import cifvi.bijection.LuLinear;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.ConditionalNormalMixture;
import cifvi.distribution.DataRows;
import cifvi.distribution.EncodedNormal;
import cifvi.distribution.Observation;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.GivenAffine;
import cifvi.posterior.ImplicitConditional;
import cifvi.posterior.Layer;
import cifvi.posterior.Placement;
import cifvi.posterior.Posterior;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A density model in its sizes: flow steps from a standardised row to noise, each a bijection and
 * an LU map, indexed by a u of its own where the family is.
 *
 * @param placement of the affine in u
 * @param inference what q(u|w) is
 * @param features columns that are modelled
 * @param given columns that they are conditioned on
 * @param flowSteps number of steps
 * @param hidden width of the networks of the bijections
 * @param bins of the splines
 * @param tailBound beyond which a spline is the identity
 * @param index dimension of u in every step
 * @param sideHidden width of the networks q, r, s and t
 * @param mixture normals that r(u|w) is a mixture of, 1 for a normal
 */
public record DensityShape(
    DensityFamily family,
    Placement placement,
    Inference inference,
    int features,
    int given,
    int flowSteps,
    int hidden,
    int bins,
    double tailBound,
    int index,
    int sideHidden,
    int mixture) {
  private static final int BLOCKS = 2;

  /**
   * Where r is a mixture, u starts near SPREAD w, and t takes SHARE of w away again: u says much of
   * w from the first step on. From the usual starting values the flow learns first to do without u,
   * s and t become constants, and u is never used (results/density).
   */
  private static final double SPREAD = 2;

  private static final double SHARE = 0.9;

  /** Of standardised columns. */
  private static final double REACH = 2;

  private static final double LOG_STD = -2;
  private static final double NEARLY_CONSTANT = 0.1;
  private static final double LARGER_MEANS = 5;

  /** Of one step: of what is given, of the index and of the flow. */
  private static final int MOST_LAYERS = 3;

  /** The inference model q(u|w) of an indexed step. */
  public enum Inference {
    /** A normal whose mean and standard deviation a network gives. */
    NORMAL,
    /** The margin of a CIF: such a normal, and one layer with an index of its own. */
    CIF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public DensityShape {
    requireCount("features", features);
    requireCount("flow steps", flowSteps);
    requireCount("hidden", hidden);
    requireCount("index", index);
    requireCount("side hidden", sideHidden);
    requireCount("mixture", mixture);
    if (mixture > 1 && (inference != Inference.NORMAL || !family.indexed())) {
      throw new IllegalArgumentException(
          "mixture: is the r of an indexed family whose q is a normal, got %s and %s"
              .formatted(family, inference));
    }
    if (inference == Inference.CIF && (given > 0 || !family.indexed())) {
      throw new IllegalArgumentException(
          "inference: a CIF is for indexed families without given columns, got %s and %d"
              .formatted(family, given));
    }
  }

  private static void requireCount(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": expected at least 1, got " + value);
    }
  }

  /** The sizes that a family has by default: those of paper section 4.1, wider for many columns. */
  public static DensityShape of(DensityFamily family, int features, int given) {
    int hidden = Math.clamp(4L * (features + given), 32, 128);
    int index = Math.clamp(features / 2L, 1, 4);
    return new DensityShape(
        family,
        Placement.PAPER,
        Inference.NORMAL,
        features,
        given,
        5,
        hidden,
        8,
        3,
        index,
        given == 0 ? 10 : 32,
        1);
  }

  /** A model with the starting values of a seed. */
  public Model build(Backend backend, long seed) {
    var parameters = new Parameters(backend, seed);
    var rows = new DataRows(features, given);
    var layers = new ArrayList<Layer>();
    for (int i = 0; i < flowSteps; i++) {
      Parameters here = parameters.in("layers").in(Integer.toString(i));
      if (given > 0) {
        layers.add(new GivenAffine(mlp(here.in("given"), given, 2 * features), rows));
      }
      Bijection g = new Chain(List.of(flow(here), new LuLinear(here, features)));
      if (!family.indexed()) {
        layers.add(new FlowLayer(g));
        continue;
      }
      switch (placement) {
        case PAPER -> layers.add(indexed(here, i, g, rows));
        case RELEASED -> {
          layers.add(indexed(here, i, Chain.IDENTITY, rows));
          layers.add(new FlowLayer(g));
        }
      }
    }
    return new Model(
        new Posterior(rows, layers), MixtureTarget.standardNormal(backend, features), parameters);
  }

  private Bijection flow(Parameters here) {
    return family.splines()
        ? new SplineAutoregressive(
            here, features, new SplineAutoregressive.Options(hidden, BLOCKS, bins, tailBound))
        : new AffineAutoregressive(here, features, hidden, hidden);
  }

  private Layer indexed(Parameters here, int step, Bijection g, DataRows rows) {
    var st = mlp(here.in("st"), index, 2 * features);
    Conditional q =
        switch (inference) {
          case NORMAL -> informed(st, mlp(here.in("q"), features + given, 2 * index), rows);
          case CIF -> implicit(here.in("q"), step);
        };
    return new CifLayer(new IndexedBijection(g, st), q, r(here.in("r"), rows));
  }

  /** The normal q of this network; it and st start larger where r is a mixture. */
  private Conditional informed(Mlp st, Mlp q, DataRows rows) {
    if (mixture > 1) {
      q.startLinear(index, SPREAD, REACH);
      q.rescale(index, index, NEARLY_CONSTANT, LOG_STD);
      st.startLinear(features, -SHARE / SPREAD, SPREAD * REACH);
      st.rescale(features, features, NEARLY_CONSTANT, -Math.log(1 - SHARE));
    }
    return new ConditionalNormal(ofGiven(q, rows));
  }

  private Conditional r(Parameters here, DataRows rows) {
    int outputs = mixture == 1 ? 2 * index : ConditionalNormalMixture.outputs(mixture, index);
    Mlp mlp = mlp(here, features + given, outputs);
    if (mixture > 1) {
      mlp.rescale(mixture, (long) mixture * index, LARGER_MEANS, 0);
    }
    ConditionalNetwork network = ofGiven(mlp, rows);
    return mixture == 1
        ? new ConditionalNormal(network)
        : new ConditionalNormalMixture(network, mixture);
  }

  /** Of u, by a normal of w and a layer with the index v; its r looks at u and w. */
  private Conditional implicit(Parameters here, int step) {
    var base = new EncodedNormal(mlp(here.in("base"), features, 2 * index));
    Mlp r = mlp(here.in("r"), index + features, 2 * index);
    var normal = new ConditionalNormal((u, w) -> r.apply(joined(u, w)));
    var layer =
        CifLayer.gaussian(here, Chain.IDENTITY, index, index, normal, sideHidden, sideHidden);
    return new ImplicitConditional(
        new Posterior(base, List.of(layer)), MOST_LAYERS * flowSteps + step);
  }

  private static Tensor joined(Tensor u, Observation w) {
    return torch.cat(new TensorVector(u, ((Observation.Batch) w).x()), 1);
  }

  /** Of w and of what is given. */
  private ConditionalNetwork ofGiven(Mlp network, DataRows rows) {
    return given == 0
        ? ConditionalNetwork.of(network)
        : new ConditionalNetwork.OfGiven(network, rows);
  }

  private Mlp mlp(Parameters here, int in, int out) {
    return new Mlp(here, in, sideHidden, sideHidden, out);
  }
}
