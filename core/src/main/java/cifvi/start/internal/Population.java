package cifvi.start.internal;

import cifvi.distribution.Draw;
import cifvi.distribution.MixtureBase;
import cifvi.distribution.Observation;
import cifvi.target.HostTarget.Densities;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Adapts a mixture of normals to a density by importance sampling: weights, means and covariances
 * become those of the density, as far as draws of the mixture can tell (population Monte Carlo,
 * Cappé et al., 2008). It lowers KL(p ‖ q), so that a mode which has a component keeps it. A draw
 * with far too much weight gets a component of its own (Raftery and Bao, 2010).
 */
public final class Population {
  private static final int ROUNDS = 12;
  private static final int LEAST_DRAWS = 2000;
  private static final int DRAWS_A_COMPONENT = 100;

  /** Of all weight: what all components share evenly, so that none is lost for good. */
  private static final double EVEN = 1e-3;

  /** Of the draws' worth in the best round so far: below it a round has failed. */
  private static final double WORTH = 0.5;

  /** The first stream of noise that ascents leave free. */
  private static final int STREAM = 1000;

  private static final Backend EXACT = Backend.cpu(Precision.FLOAT64);

  private Population() {}

  /**
   * The mixture of the last round, unless draws of an earlier one were worth far more: those that
   * have not met a part of the density yet seem worth more than they are.
   *
   * @param density -∞ where it has no answer
   */
  public static Mixture adapted(Mixture begin, Densities density, long seed) {
    var rng = new CounterRng(EXACT, seed, Purpose.INITIALISE);
    int draws = Math.max(LEAST_DRAWS, DRAWS_A_COMPONENT * begin.components());
    Mixture next = begin;
    Mixture best = begin;
    double most = 0;
    for (int round = 0; round < ROUNDS; round++) {
      try (var _ = new PointerScope()) {
        MixtureBase base = next.base(EXACT);
        Draw drawn = base.given(Observation.none(draws)).sample(rng.step(STREAM + round));
        double[] weights = weights(drawn, density, draws);
        double effective = 1 / Arrays.stream(weights).map(w -> w * w).sum();
        if (!Double.isFinite(effective)) {
          break;
        }
        if (effective > WORTH * most) {
          best = next;
        }
        most = Math.max(most, effective);
        next = updated(next, base, drawn.value(), weights);
      }
    }
    return best;
  }

  /** p/q of every draw, their sum being 1. */
  private static double[] weights(Draw drawn, Densities density, int draws) {
    double[] logP = new double[draws];
    density.evaluate(Backend.doubles(drawn.value()), logP, null);
    double[] logQ = Backend.doubles(drawn.logDensity());
    double[] log = IntStream.range(0, draws).mapToDouble(i -> logP[i] - logQ[i]).toArray();
    double most = Arrays.stream(log).filter(Double::isFinite).max().orElse(Double.NaN);
    double[] weights =
        Arrays.stream(log).map(w -> Double.isFinite(w) ? Math.exp(w - most) : 0).toArray();
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(w -> w / sum).toArray();
  }

  /**
   * Weights, means and covariances of the draws that a component accounts for, drawn to those of
   * before where they are few.
   */
  private static Mixture updated(Mixture mixture, MixtureBase base, Tensor v, double[] weights) {
    int d = mixture.dimensions();
    int n = weights.length;
    double limit = 1 / Math.sqrt(n); // Ionides, 2008
    double[] cut = Arrays.stream(weights).map(w -> Math.min(w, limit)).toArray();
    Tensor log = base.logComponents(v);
    Tensor share = log.sub(log.logsumexp(0)).exp().mul(EXACT.tensor(cut, n));
    Tensor weight = share.sum(1); // [K]
    Tensor effective = weight.square().div(share.square().sum(1));
    Tensor part = effective.div(effective.add(Scalars.of(2.0 * (d + 1)))).nan_to_num();
    Tensor own = share.div(weight.unsqueeze(1)).nan_to_num(); // [K, n], rows sum to 1
    Tensor shift = own.matmul(v).sub(base.means()).mul(part.unsqueeze(1));
    Tensor means = base.means().add(shift);
    Tensor away = v.unsqueeze(0).sub(means.unsqueeze(1)); // [K, n, d]
    Tensor seen = away.transpose(1, 2).bmm(away.mul(own.unsqueeze(2)));
    Tensor before = base.factors().bmm(base.factors().transpose(1, 2));
    Tensor covariance = before.add(seen.sub(before).mul(part.view(-1, 1, 1)));
    Tensor factors = torch.linalg_cholesky_ex(covariance).get0();
    double even = EVEN * Arrays.stream(cut).sum() / mixture.components();
    Mixture next =
        Mixture.of(
            Backend.doubles(weight.add(Scalars.of(even)).log()),
            Backend.doubles(means),
            Backend.doubles(factors));
    int heaviest = IntStream.range(0, n).reduce(0, (i, j) -> weights[i] >= weights[j] ? i : j);
    if (weights[heaviest] <= limit) {
      return next;
    }
    int of = (int) Backend.doubles(log.select(1, heaviest).argmax())[0];
    double[] at = Backend.doubles(v.select(0, heaviest));
    return next.with(Math.log(limit), next.normals().get(of).at(at));
  }
}
