package cifvi.distribution;

import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Σ_k w_k N(mean_k, diag(e^{2 logStd_k})). Draws carry no gradient: a density that is only
 * evaluated, such as r(u|z), can be a mixture, the index density q(u|w) cannot.
 *
 * @param logWeights normalised, {@code [batch, K]}
 * @param means {@code [batch, K, d]}
 * @param logStds {@code [batch, K, d]}
 */
public record NormalMixture(Tensor logWeights, Tensor means, Tensor logStds)
    implements Distribution {
  @Override
  public Draw sample(Rng rng) {
    long batch = means.size(0);
    long d = means.size(2);
    Tensor noise =
        rng.normal(
            batch, 1 + d); // the first column chooses the component, the others are its noise
    Tensor u = uniform(noise.narrow(1, 0, 1));
    Tensor k = u.gt(logWeights.exp().cumsum(1)).sum(1).clamp_max(Scalars.of(means.size(1) - 1.0));
    Tensor at = k.to(ScalarType.Long).view(batch, 1, 1).expand(batch, 1, d);
    Tensor e = noise.narrow(1, 1, d).unsqueeze(1);
    Tensor v = means.gather(1, at).add(logStds.gather(1, at).exp().mul(e));
    Tensor draw = v.squeeze(1).detach();
    return new Draw(draw, logDensity(draw));
  }

  @Override
  public Tensor logDensity(Tensor v) {
    Shapes.require("v", v, Shapes.batchOf(means), means.size(2));
    var components = new DiagonalNormal(means, logStds);
    return components.logDensity(v.unsqueeze(1)).add(logWeights).logsumexp(1);
  }

  /** Φ of standard normal noise, which is uniform from 0 to 1. */
  static Tensor uniform(Tensor noise) {
    Tensor erf = noise.mul(Scalars.of(Math.sqrt(0.5))).erf();
    return erf.add(Scalars.of(1)).mul(Scalars.of(0.5));
  }
}
