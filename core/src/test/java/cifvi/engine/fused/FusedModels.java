package cifvi.engine.fused;

import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.NormalBase;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.target.MixtureTarget;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;

/** Models made of every layer that has a kernel, in any size. */
final class FusedModels {
  private FusedModels() {}

  /**
   * The sizes of a model.
   *
   * @param components of the target: 9 or 16 in the plane, a general mixture otherwise
   */
  record Shape(
      int features,
      int index,
      int bins,
      double bound,
      double sigma0,
      boolean learn,
      boolean paper,
      int components) {
    static Shape mog(boolean paper, int components) {
      return new Shape(2, 1, 8, 3, 1, false, paper, components);
    }

    Shape withBase(double sigma0, boolean learn, double bound) {
      return new Shape(features, index, bins, bound, sigma0, learn, paper, components);
    }

    static Shape of(int features, int bins, boolean paper) {
      return new Shape(features, 2, bins, 3, 1.5, true, paper, 3);
    }
  }

  static Model build(Shape shape, Backend backend) {
    var parameters = new Parameters(backend, 5);
    int d = shape.features;
    var base = NormalBase.create(parameters.in("base"), d, shape.sigma0, shape.learn);
    var options = new SplineAutoregressive.Options(d == 2 ? 32 : 19, 2, shape.bins, shape.bound);
    List<Layer> layers = new ArrayList<>();
    layers.add(new FlowLayer(new Flip()));
    for (int i = 0; i < 2; i++) {
      var here = parameters.in("layers." + i);
      Bijection g =
          Chain.of(new SplineAutoregressive(here, d, options), Permutation.random(here, d));
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
    int d = shape.features;
    double[] weights = new double[shape.components];
    double[][] means = new double[shape.components][d];
    double[][][] covariances = new double[shape.components][d][d];
    for (int k = 0; k < shape.components; k++) {
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
