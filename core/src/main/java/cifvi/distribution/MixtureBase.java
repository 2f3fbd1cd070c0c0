package cifvi.distribution;

import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Σ_k π_k N(μ_k, F_k F_kᵀ), the same for every row: a posterior with several modes. Its numbers are
 * found by importance sampling, not along gradients, and draws carry none.
 *
 * @param logWeights log π_k, normalised, {@code [K]}
 * @param means μ_k, {@code [K, d]}
 * @param factors F_k, {@code [K, d, d]}
 * @param inverses F_k⁻¹, {@code [K, d, d]}
 * @param logDets log|det F_k|, {@code [K]}
 */
public record MixtureBase(
    Tensor logWeights, Tensor means, Tensor factors, Tensor inverses, Tensor logDets)
    implements Base {
  private static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  /** K of them, whose numbers are {@linkplain #set given} or loaded later. */
  public static MixtureBase create(Parameters parameters, int components, int features) {
    Backend backend = parameters.backend();
    return new MixtureBase(
        parameters.buffer("log_weights", backend.full(-Math.log(components), components)),
        parameters.buffer("means", backend.zeros(components, features)),
        parameters.buffer("factors", backend.zeros(components, features, features)),
        parameters.buffer("inverses", backend.zeros(components, features, features)),
        parameters.buffer("log_dets", backend.zeros(components)));
  }

  /** Takes over the numbers of another one, of any precision. */
  public void set(MixtureBase from) {
    logWeights.copy_(from.logWeights);
    means.copy_(from.means);
    factors.copy_(from.factors);
    inverses.copy_(from.inverses);
    logDets.copy_(from.logDets);
  }

  @Override
  public Distribution given(Observation x) {
    return new Distribution() {
      @Override
      public Draw sample(Rng rng) {
        Tensor v = draws(x.rows(), rng);
        return new Draw(v, logDensity(v));
      }

      @Override
      public Tensor logDensity(Tensor v) {
        return logComponents(v).logsumexp(0);
      }
    };
  }

  /** The first column of the noise chooses a component, the others are its own. */
  private Tensor draws(long rows, Rng rng) {
    long d = means.size(1);
    Tensor noise = rng.normal(rows, 1 + d);
    Tensor uniform = NormalMixture.uniform(noise.narrow(1, 0, 1));
    Tensor k = uniform.gt(logWeights.exp().cumsum(0)).sum(1);
    Tensor chosen = k.clamp_max(Scalars.of(means.size(0) - 1.0)).to(ScalarType.Long);
    Tensor own = noise.narrow(1, 1, d).unsqueeze(2);
    Tensor away = factors.index_select(0, chosen).bmm(own).squeeze(2);
    return means.index_select(0, chosen).add(away);
  }

  /** log π_k N(v; μ_k, F_k F_kᵀ), {@code [K, batch]}. */
  public Tensor logComponents(Tensor v) {
    long d = means.size(1);
    Shapes.require("v", v, Shapes.BATCH, d);
    Tensor noise = v.unsqueeze(0).sub(means.unsqueeze(1)).bmm(inverses.transpose(1, 2));
    Tensor log = noise.square().sum(2).mul(Scalars.of(-0.5)).sub(Scalars.of(d * HALF_LOG_2_PI));
    return log.add(logWeights.sub(logDets).unsqueeze(1));
  }
}
