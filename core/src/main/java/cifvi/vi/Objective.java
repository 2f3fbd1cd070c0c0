package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.posterior.Posterior;
import cifvi.posterior.Step;
import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * E[log w] or E[log 1/K Σ w_k], w = p(x, z) r(u|z, x) / q(z, u|x) being the weight of a draw: a
 * lower bound on log p(x) that is maximised by following its gradient.
 */
public sealed interface Objective {
  /**
   * The bound for every row of x, a tensor {@code [batch]} of the caller's {@code PointerScope},
   * differentiable in all parameters.
   */
  Tensor value(Model model, Observation x, Rng rng);

  /** How many draws of z a row of x has. */
  int draws();

  /** The single-sample evidence lower bound, Algorithm 1: Δ + log p(x, z) (eqs. 9, 16, 17). */
  record Elbo() implements Objective {
    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      Posterior.Sample draw = model.posterior().sample(x, rng);
      return draw.delta().add(model.logJoint(x, draw.z()));
    }

    @Override
    public int draws() {
      return 1;
    }
  }

  /**
   * The same bound, followed along the path of the draws alone: the score ∂_φ log q(z, u) at a
   * fixed draw, whose mean is 0, is left out (Roeder et al., 2017). Where q(z, u) = p(z) r(u|z) up
   * to a constant, every draw has the gradient 0 in q; r keeps all of its own.
   */
  record PathElbo() implements Objective {
    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      List<Step> trace = model.posterior().trace(x, rng);
      Tensor bound = model.logJoint(x, trace.getLast().w());
      for (Step step : trace) {
        bound = bound.add(step.logWeight());
      }
      Tensor logQ = model.posterior().logDensity(trace, x);
      return bound.add(logQ.sub(logQ.detach()));
    }

    @Override
    public int draws() {
      return 1;
    }
  }

  /**
   * The importance-weighted bound log 1/K Σ_k exp(elbo_k) of Burda et al. (2015); the K draws of
   * one row are adjacent and share its x.
   */
  record Iwae(int k) implements Objective {
    public Iwae {
      if (k < 1) {
        throw new IllegalArgumentException("k: expected at least 1, got " + k);
      }
    }

    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      Tensor logWeights = new Elbo().value(model, x.repeat(k), rng).view(-1, k);
      return logWeights.logsumexp(1).sub(Scalars.of(Math.log(k)));
    }

    @Override
    public int draws() {
      return k;
    }
  }
}
