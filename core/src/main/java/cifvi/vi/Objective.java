package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.posterior.Step;
import cifvi.target.Target;
import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import java.util.List;
import java.util.Objects;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * E[log w] or E[log 1/K Σ w_k], w = p(x, z) r(u|z, x) / q(z, u|x) being the weight of a draw, and
 * what is made of them: lower bounds on log p(x) that are maximised by following a gradient.
 */
public sealed interface Objective {
  /**
   * The bound for every row of x, a tensor {@code [batch]} of the caller's {@code PointerScope},
   * differentiable in all parameters.
   */
  Tensor value(Model model, Observation x, Rng rng);

  /** How many draws of z a row of x has. */
  int draws();

  /** What step number {@code step} maximises: always the same but for a {@link WarmUp}. */
  default Objective at(long step) {
    return this;
  }

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
      Tensor bound = logWeight(model, x, trace);
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
      requireDraws(k);
    }

    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      return logMeanExp(new Elbo().value(model, x.repeat(k), rng).view(-1, k));
    }

    @Override
    public int draws() {
      return k;
    }
  }

  /**
   * The importance-weighted bound again, its gradient doubly reparametrised (Tucker et al., 2018),
   * here on the joint space ζ = (z, u). With l = log p(x, z) + log r(u|z) - log q(ζ) and ω_k =
   * e^{l_k} / Σ e^l the gradient is
   *
   * <pre>
   *   Σ_k ω_k² ∂l_k/∂ζ_k dζ_k/dφ + Σ_k ω_k ∂/∂φ [log p(x, z_k) + log r(u_k|z_k)] at fixed ζ_k.
   * </pre>
   *
   * <p>The score of q(ζ) alone is left out. The second sum has the gradients in p and r as {@link
   * Iwae} has them, and those of r(u_l|w_l) in the layers after l, through which w_l follows from
   * z. With K = 1 this is {@link PathElbo}.
   */
  record Dreg(int k) implements Objective {
    public Dreg {
      requireDraws(k);
    }

    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      Observation repeated = x.repeat(k);
      List<Step> trace = model.posterior().trace(repeated, rng);
      Tensor l = logWeight(model, repeated, trace);
      var held = model.posterior().logDensities(trace, repeated);
      Tensor logP = model.logJoint(repeated, trace.getLast().w().detach());
      Tensor numerator = logP.add(Objects.requireNonNull(held.logR()));
      Tensor path = l.sub(numerator.sub(held.logQ())); // whose gradient is that through ζ alone
      Tensor omega = torch.softmax(l.detach().view(-1, k), 1);
      Tensor terms = omega.mul(path.view(-1, k)).add(numerator.view(-1, k)).mul(omega);
      Tensor gradient = terms.sum(1);
      return logMeanExp(l.detach().view(-1, k)).add(gradient.sub(gradient.detach()));
    }

    @Override
    public int draws() {
      return k;
    }
  }

  /**
   * The importance-weighted hierarchical bound (Sobolev &amp; Vetrov, 2019): E[log p(x, z) - log
   * 1/(M+1) Σ_{j=0}^M q(z, u_j) / r(u_j|z)], u_0 being the index that z was drawn with and u_1, …,
   * u_M drawn from r given z, back through all layers. M = 0 is {@link Elbo}; with M it rises to
   * E[log p(x, z) - log q(z)] (eq. 1).
   *
   * <p>The gradient goes through all u_j, which an r whose draws carry none, such as a mixture,
   * does not allow.
   */
  record Iwhvi(int m) implements Objective {
    public Iwhvi {
      if (m < 0) {
        throw new IllegalArgumentException("m: expected at least 0, got " + m);
      }
    }

    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      Posterior posterior = model.posterior();
      Posterior.Sample draw = posterior.sample(x, rng);
      Tensor logP = model.logJoint(x, draw.z());
      if (m == 0 || posterior.explicit()) {
        return draw.delta().add(logP);
      }
      Tensor z = draw.z().repeat_interleave(m, new LongOptional(0), new LongOptional());
      Tensor back = posterior.logWeight(z, x.repeat(m), rng.beyond(posterior.layers().size()));
      Tensor first = draw.delta().neg().unsqueeze(1);
      return logP.sub(logMeanExp(torch.cat(new TensorVector(first, back.view(-1, m)), 1)));
    }

    @Override
    public int draws() {
      return 1;
    }
  }

  /**
   * The bound of {@link Elbo} with everything but r held fixed: r(u|z) learns the draws of q(z, u)
   * by maximum likelihood, which lowers the slack E KL(q(u|z) ‖ r(u|z)) and nothing else.
   */
  record Auxiliary() implements Objective {
    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      List<Step> trace;
      Tensor bound;
      try (var _ = new NoGradGuard()) {
        trace = model.posterior().trace(x, rng);
        bound = logWeight(model, x, trace);
      }
      Tensor logR = bound.new_zeros(bound.size(0));
      List<Layer> layers = model.posterior().layers();
      for (int i = 0; i < layers.size(); i++) {
        Step step = trace.get(i + 1);
        if (step.u() != null) {
          logR = logR.add(layers.get(i).logR(step.w(), step.u(), x));
        }
      }
      return bound.add(logR.sub(logR.detach()));
    }

    @Override
    public int draws() {
      return 1;
    }
  }

  /**
   * Another objective with β log p(x, z) in the place of log p(x, z), where β = (t+1)/N in step t
   * of the first N and 1 from then on: the annealing of Rezende &amp; Mohamed (2015). As long as β
   * is small the entropy of the posterior counts for more, and modes are not left before they are
   * seen.
   *
   * @param steps N
   */
  record WarmUp(Objective objective, long steps) implements Objective {
    public WarmUp {
      if (steps < 1) {
        throw new IllegalArgumentException("steps: expected at least 1, got " + steps);
      }
    }

    @Override
    public Objective at(long step) {
      return step + 1 < steps ? new Tempered(objective, (step + 1.0) / steps) : objective;
    }

    /** What it ends with. */
    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      return objective.value(model, x, rng);
    }

    @Override
    public int draws() {
      return objective.draws();
    }
  }

  /** Another objective with β log p(x, z) in the place of log p(x, z). */
  record Tempered(Objective objective, double beta) implements Objective {
    @Override
    public Tensor value(Model model, Observation x, Rng rng) {
      Target target = (data, z) -> model.logJoint(data, z).mul(Scalars.of(beta));
      return objective.value(new Model(model.posterior(), target, model.parameters()), x, rng);
    }

    @Override
    public int draws() {
      return objective.draws();
    }
  }

  /** log p(x, z) r(u|z) / q(z, u) of a draw. */
  private static Tensor logWeight(Model model, Observation x, List<Step> trace) {
    Tensor sum = model.logJoint(x, trace.getLast().w());
    for (Step step : trace) {
      sum = sum.add(step.logWeight());
    }
    return sum;
  }

  /** log 1/n Σ e^{l} of every row of n numbers. */
  private static Tensor logMeanExp(Tensor l) {
    return l.logsumexp(1).sub(Scalars.of(Math.log((double) l.size(1))));
  }

  private static void requireDraws(int k) {
    if (k < 1) {
      throw new IllegalArgumentException("k: expected at least 1, got " + k);
    }
  }
}
