package cifvi.engine.internal.fused;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.nn.Conditioner;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.posterior.Step;
import cifvi.target.HostTarget;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** Models made of every layer that has a kernel, in any size. */
public final class FusedModels {
  private FusedModels() {}

  /** A model in any precision and what it is trained on. */
  public interface Case {
    Model build(Backend backend, long seed);

    default Model build(Backend backend) {
      return build(backend, 5);
    }

    Observation x(Backend backend, int rows);
  }

  /**
   * Any layers before a Gaussian of w in the plane that no kernel knows, and a target that is any
   * function.
   */
  public record Unknown() implements Case {
    @Override
    public Model build(Backend backend, long seed) {
      Model known = Shape.mog(true, 9).build(backend, seed);
      List<Layer> layers = new ArrayList<>(known.posterior().layers());
      layers.add(1, new Noisy());
      return new Model(
          new Posterior(known.posterior().base(), layers),
          (_, z) -> z.mul(z).sum(1).neg(),
          known.parameters());
    }

    @Override
    public Observation x(Backend backend, int rows) {
      return Observation.none(rows);
    }
  }

  /** Another model, with a normal of unit variance at (1, …, 1) in Java as its density. */
  public record Host(Case of) implements Case {
    /** The CIF of a mixture. */
    public static final Host CIF = new Host(Shape.mog(true, 9));

    @Override
    public Model build(Backend backend, long seed) {
      Model model = of.build(backend, seed);
      var target = new HostTarget(backend, Host::normal);
      return new Model(model.posterior(), target, model.parameters());
    }

    private static void normal(double[] z, double[] logP, double @Nullable [] gradients) {
      Arrays.fill(logP, 0);
      int d = z.length / logP.length;
      for (int i = 0; i < z.length; i++) {
        logP[i / d] -= 0.5 * (z[i] - 1) * (z[i] - 1);
        if (gradients != null) {
          gradients[i] = 1 - z[i];
        }
      }
    }

    @Override
    public Observation x(Backend backend, int rows) {
      return Observation.none(rows);
    }
  }

  /** A masked affine CIF, or a plain flow with batch norm before every step. */
  public record Affine(int features, int hidden, boolean batchNorm) implements Case {
    @Override
    public Model build(Backend backend, long seed) {
      var parameters = new Parameters(backend, seed);
      List<Layer> layers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        var here = parameters.in("layers." + i);
        var g = Chain.of(new AffineAutoregressive(here, features, hidden, hidden), new Flip());
        layers.add(
            batchNorm
                ? new FlowLayer(Chain.of(new BatchNorm(here, features), g))
                : CifLayer.gaussian(here, g, features, 2, 10, 10));
      }
      var base = NormalBase.create(parameters.in("base"), features, 1, true);
      return new Model(new Posterior(base, layers), mixture(features, 3, backend), parameters);
    }

    @Override
    public Observation x(Backend backend, int rows) {
      return Observation.none(rows);
    }
  }

  /** Coupling layers of both kinds in a CIF. */
  public record Coupling(int features) implements Case {
    @Override
    public Model build(Backend backend, long seed) {
      var parameters = new Parameters(backend, seed);
      List<Layer> layers = new ArrayList<>();
      var options = new SplineAutoregressive.Options(19, 2, 8, 3);
      for (int i = 0; i < 2; i++) {
        var here = parameters.in("layers." + i);
        var g =
            Chain.of(
                new SplineAutoregressive(here.in("0"), features, Conditioner.COUPLING, options),
                new Flip(),
                new AffineAutoregressive(here.in("2"), features, Conditioner.COUPLING, 12, 12),
                Permutation.random(here.in("3"), features));
        layers.add(CifLayer.gaussian(here, g, features, 2, 10, 10));
      }
      var base = NormalBase.create(parameters.in("base"), features, 1, true);
      return new Model(new Posterior(base, layers), mixture(features, 3, backend), parameters);
    }

    @Override
    public Observation x(Backend backend, int rows) {
      return Observation.none(rows);
    }
  }

  /** A layer of a user's own that draws noise: w + 0.1 ε. */
  private record Noisy() implements Layer {
    @Override
    public Step forward(Tensor w, Observation x, Rng rng) {
      Tensor noise = rng.normal(w.size(0), w.size(1));
      return new Step(w.add(noise, Scalars.of(0.1)), w.select(1, 0).sin(), null);
    }

    @Override
    public Step backward(Tensor z, Observation x, Rng rng) {
      return new Step(z, z.select(1, 0), null);
    }

    @Override
    public boolean indexed() {
      return false;
    }
  }

  /**
   * The sizes of a model.
   *
   * @param components of the target: 9 or 16 in the plane, a general mixture otherwise
   * @param lu whether an LU map follows each spline; the paper has none in the plane
   */
  public record Shape(
      int features,
      int index,
      int bins,
      double bound,
      double sigma0,
      boolean learn,
      boolean paper,
      int components,
      boolean lu)
      implements Case {
    @Override
    public Model build(Backend backend, long seed) {
      return FusedModels.build(this, backend, seed);
    }

    @Override
    public Observation x(Backend backend, int rows) {
      return Observation.none(rows);
    }

    public static Shape mog(boolean paper, int components) {
      return new Shape(2, 1, 8, 3, 1, false, paper, components, false);
    }

    public Shape withBase(double sigma0, boolean learn, double bound) {
      return new Shape(features, index, bins, bound, sigma0, learn, paper, components, lu);
    }

    public Shape withLu() {
      return new Shape(features, index, bins, bound, sigma0, learn, paper, components, true);
    }

    public static Shape of(int features, int bins, boolean paper) {
      return new Shape(features, 2, bins, 3, 1.5, true, paper, 3, true);
    }
  }

  private static Model build(Shape shape, Backend backend, long seed) {
    var parameters = new Parameters(backend, seed);
    int d = shape.features;
    var base = NormalBase.create(parameters.in("base"), d, shape.sigma0, shape.learn);
    var options = new SplineAutoregressive.Options(d == 2 ? 32 : 19, 2, shape.bins, shape.bound);
    List<Layer> layers = new ArrayList<>();
    layers.add(new FlowLayer(new Flip()));
    for (int i = 0; i < 2; i++) {
      var here = parameters.in("layers." + i);
      Bijection linear = shape.lu ? new LuLinear(here, d) : Chain.IDENTITY;
      Bijection g =
          Chain.of(new SplineAutoregressive(here, d, options), linear, Permutation.random(here, d));
      Bijection inner = shape.paper ? g : Chain.IDENTITY;
      layers.add(CifLayer.gaussian(here, inner, d, shape.index, 10, 10));
      if (!shape.paper) {
        layers.add(new FlowLayer(g));
      }
    }
    return new Model(new Posterior(base, layers), target(shape, backend), parameters);
  }

  private static Target target(Shape shape, Backend backend) {
    if (shape.features == 2 && shape.components >= 9) {
      return MixtureTarget.paper(backend, shape.components);
    }
    return mixture(shape.features, shape.components, backend);
  }

  private static Target mixture(int d, int components, Backend backend) {
    double[] weights = new double[components];
    double[][] means = new double[components][d];
    double[][][] covariances = new double[components][d][d];
    for (int k = 0; k < components; k++) {
      weights[k] = k + 1;
      for (int i = 0; i < d; i++) {
        means[k][i] = Math.sin(3 * k + i);
        for (int j = 0; j < d; j++) {
          covariances[k][i][j] = (i == j ? 1 : 0) + 0.3 * (Math.cos(k + i) * Math.cos(k + j));
        }
      }
    }
    return new MixtureTarget(backend, weights, means, covariances);
  }
}
