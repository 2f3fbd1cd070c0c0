package cifvi.posterior;

import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.Draw;
import cifvi.distribution.Observation;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.target.Target;
import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import java.util.Objects;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * v ~ q(·|w), (z, u) = some leapfrog steps from (w, v) along the gradient of log p: Hamiltonian
 * variational inference (Salimans et al., 2015; section 3.2). Position and momentum together move
 * by a bijection that keeps volume, so that the log-weight is log r(u|z, x) - log q(v|w), r being a
 * density of the momentum at the end.
 *
 * <pre>
 *   v ← v + ε/2 ∇log p(w);   w ← w + ε v, v ← v + ε ∇log p(w), …, the last of these with ε/2
 * </pre>
 *
 * <p>Training goes through ∇log p, hence needs second derivatives of the target.
 *
 * @param target log p(x, z), that of the model
 * @param logSteps log ε, learnt, {@code [d]}
 * @param leaps how many steps of position
 */
public record HamiltonianLayer(
    Target target, Tensor logSteps, int leaps, Conditional q, Conditional r) implements Layer {
  public HamiltonianLayer {
    if (leaps < 1) {
      throw new IllegalArgumentException("leaps: expected at least 1, got " + leaps);
    }
    if (!target.twiceDifferentiable()) {
      throw new IllegalArgumentException(
          "target: Hamiltonian dynamics are trained through the gradient of log p, and "
              + target.getClass().getSimpleName()
              + " gives no second derivatives; write log p as a cifvi.target.Target of libtorch"
              + " operations, or choose another family such as hvm or cif-nsf");
    }
  }

  /**
   * A layer whose q and r come from MLPs with one hidden layer of this width.
   *
   * @param step ε to begin with, in every dimension
   */
  public static HamiltonianLayer gaussian(
      Parameters parameters, Target target, int features, int hidden, int leaps, double step) {
    if (!(step > 0) || Double.isInfinite(step)) {
      throw new IllegalArgumentException("step: expected a positive number, got " + step);
    }
    Tensor start = parameters.backend().full(Math.log(step), features);
    return new HamiltonianLayer(
        target,
        parameters.add("log_steps", start),
        leaps,
        new ConditionalNormal(new Mlp(parameters.in("q"), features, hidden, 2L * features)),
        new ConditionalNormal(new Mlp(parameters.in("r"), features, hidden, 2L * features)));
  }

  /** Position and momentum. */
  private record Phase(Tensor w, Tensor v) {}

  @Override
  public Step forward(Tensor w, Observation x, Rng rng) {
    Draw v = q.given(w, x).sample(rng);
    Phase end = leapfrog(new Phase(w, v.value()), x, logSteps.exp());
    Tensor logR = r.given(end.w, x).logDensity(end.v);
    return new Step(end.w, logR.sub(v.logDensity()), end.v);
  }

  @Override
  public Step backward(Tensor z, Observation x, Rng rng) {
    Draw u = r.given(z, x).sample(rng);
    Step start = inverse(z, u.value(), x);
    return new Step(start.w(), start.logWeight().sub(u.logDensity()), u.value());
  }

  @Override
  public Step inverse(Tensor z, @Nullable Tensor u, Observation x) {
    Tensor momentum = Objects.requireNonNull(u);
    Phase start = leapfrog(new Phase(z, momentum), x, logSteps.exp().neg());
    return new Step(start.w, q.given(start.w, x).logDensity(start.v), momentum);
  }

  @Override
  public Tensor logR(Tensor z, Tensor u, Observation x) {
    return r.given(z, x).logDensity(u);
  }

  @Override
  public boolean indexed() {
    return true;
  }

  /** Gradients of log p that one draw takes. */
  public int gradients() {
    return leaps + 1;
  }

  /** The leapfrog integrator; with -ε in the place of ε it goes the same way back. */
  private Phase leapfrog(Phase from, Observation x, Tensor epsilon) {
    Tensor half = epsilon.mul(Scalars.of(0.5));
    Tensor w = from.w;
    Tensor v = from.v.add(force(w, x).mul(half));
    for (int leap = 1; leap <= leaps; leap++) {
      w = w.add(v.mul(epsilon));
      v = v.add(force(w, x).mul(leap < leaps ? epsilon : half));
    }
    return new Phase(w, v);
  }

  /** ∇log p, differentiable again where gradients are recorded. */
  private Tensor force(Tensor w, Observation x) {
    boolean recording = GradMode.is_enabled();
    GradMode.set_enabled(true);
    try {
      Tensor at = recording && w.requires_grad() ? w : w.detach().set_requires_grad(true);
      Tensor log = target.logJoint(x, at);
      return torch
          .grad(
              new TensorVector(log.sum()),
              new TensorVector(at),
              new TensorVector(),
              new BoolOptional(recording),
              recording,
              false)
          .get(0);
    } finally {
      GradMode.set_enabled(recording);
    }
  }
}
