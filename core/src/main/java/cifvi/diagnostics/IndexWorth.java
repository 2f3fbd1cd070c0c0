package cifvi.diagnostics;

import cifvi.distribution.Observation;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.posterior.Step;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * ELBO(q) - ELBO(q with u_l = E u_l): what is lost when the index of one layer is replaced by its
 * mean under q, a constant. That layer is then the plain flow G(·; E u_l), whose log-weight is
 * log|det DG|, so that both are bounds of the same evidence; nothing is trained again. The two are
 * computed with the same noise, and the error is that of their difference.
 */
public final class IndexWorth {
  private IndexWorth() {}

  /**
   * Of every layer that has an index, in their order.
   *
   * @param logP log p of rows of the posterior's own z
   */
  public static List<Estimate> of(
      Posterior posterior, UnaryOperator<double[]> logP, int draws, Rng rng) {
    Observation x = Observation.none(draws);
    var worth = new ArrayList<Estimate>();
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      List<Step> trace = posterior.trace(x, rng);
      double[] whole = logWeights(posterior, logP, x, rng);
      for (int l = 0; l < posterior.layers().size(); l++) {
        if (posterior.layers().get(l) instanceof CifLayer layer) {
          Tensor u = Objects.requireNonNull(trace.get(l + 1).u());
          var layers = new ArrayList<Layer>(posterior.layers());
          layers.set(l, new FlowLayer(layer.G().at(u.mean(0).expand_as(u))));
          double[] without = logWeights(new Posterior(posterior.base(), layers), logP, x, rng);
          worth.add(difference(whole, without));
        }
      }
    }
    return worth;
  }

  private static Estimate difference(double[] a, double[] b) {
    var moments = new Moments();
    for (int i = 0; i < a.length; i++) {
      if (Double.isFinite(a[i]) && Double.isFinite(b[i])) {
        moments.add(a[i] - b[i]);
      }
    }
    return moments.estimate();
  }

  private static double[] logWeights(
      Posterior posterior, UnaryOperator<double[]> logP, Observation x, Rng rng) {
    Posterior.Sample sample = posterior.sample(x, rng);
    double[] weights = logP.apply(Backend.doubles(sample.z()));
    double[] delta = Backend.doubles(sample.delta());
    for (int i = 0; i < weights.length; i++) {
      weights[i] += delta[i];
    }
    return weights;
  }
}
