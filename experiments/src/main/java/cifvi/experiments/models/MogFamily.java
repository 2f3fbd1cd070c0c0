package cifvi.experiments.models;

import cifvi.distribution.NormalBase;
import cifvi.nn.Parameters;
import cifvi.posterior.HamiltonianLayer;
import cifvi.posterior.HierarchicalLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.posterior.SemiImplicitLayer;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The families that paper section 3.2 compares CIFs with, on the mixtures of section 4.1; their
 * sizes are those that did best in a small search (results/families).
 */
public enum MogFamily {
  /** Levels of u, each with an r of its own. */
  HVM,

  /** One network of ε and K more draws of it. */
  SIVI,

  /** Layers of leapfrog steps along the mixture's gradient. */
  HVI;

  private static final int FEATURES = 2;
  private static final int HIDDEN = 64;
  private static final int HVM_INDEX = 2;
  private static final int HVM_LAYERS = 2;
  private static final int SIVI_INDEX = 10;
  private static final int EXTRA = 50;
  private static final int HVI_HIDDEN = 32;
  private static final int HVI_LAYERS = 5;
  private static final int LEAPS = 3;

  /** Where leapfrog steps begin, a fraction of a mode's standard deviation 1/4. */
  private static final double FIRST_STEP = 0.1;

  /** The sizes that it has. */
  public Set<String> sizes() {
    return switch (this) {
      case HVM -> Set.of("hidden", "index", "layers");
      case SIVI -> Set.of("hidden", "index", "extra");
      case HVI -> Set.of("hidden", "layers", "leaps");
    };
  }

  /** Evaluations of log p that a draw takes, those for its gradients counted. */
  public int evaluations(FamilySizes chosen) {
    return this == HVI ? 1 + layers(chosen) * (leaps(chosen) + 1) : 1;
  }

  /**
   * The model.
   *
   * @param sigma0 of the base; that of SIVI is a standard normal
   */
  public Model build(
      Backend backend,
      long seed,
      int components,
      double sigma0,
      boolean learnSigma0,
      FamilySizes chosen) {
    var parameters = new Parameters(backend, seed);
    Target target = MixtureTarget.paper(backend, components);
    var base = NormalBase.create(parameters.in("base"), baseFeatures(chosen), sigma0, learnSigma0);
    var layers = layers(parameters.in("layers"), target, chosen);
    return new Model(new Posterior(base, layers), target, parameters);
  }

  private int baseFeatures(FamilySizes chosen) {
    return switch (this) {
      case HVM -> chosen.of("index", HVM_INDEX);
      case SIVI -> chosen.of("index", SIVI_INDEX);
      case HVI -> FEATURES;
    };
  }

  private List<Layer> layers(Parameters parameters, Target target, FamilySizes chosen) {
    var layers = new ArrayList<Layer>();
    int hidden = chosen.of("hidden", this == HVI ? HVI_HIDDEN : HIDDEN);
    int index = baseFeatures(chosen);
    int count = layers(chosen);
    for (int i = 0; i < count; i++) {
      Parameters here = parameters.in(Integer.toString(i));
      int out = i == count - 1 ? FEATURES : index;
      layers.add(
          switch (this) {
            case HVM -> HierarchicalLayer.gaussian(here, index, out, hidden);
            case SIVI ->
                SemiImplicitLayer.gaussian(here, index, out, hidden, chosen.of("extra", EXTRA));
            case HVI ->
                HamiltonianLayer.gaussian(here, target, out, hidden, leaps(chosen), FIRST_STEP);
          });
    }
    return layers;
  }

  private int layers(FamilySizes chosen) {
    return switch (this) {
      case HVM -> chosen.of("layers", HVM_LAYERS);
      case SIVI -> 1;
      case HVI -> chosen.of("layers", HVI_LAYERS);
    };
  }

  private static int leaps(FamilySizes chosen) {
    return chosen.of("leaps", LEAPS);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
