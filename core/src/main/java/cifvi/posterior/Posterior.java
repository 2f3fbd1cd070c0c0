package cifvi.posterior;

import cifvi.distribution.Base;
import cifvi.distribution.Draw;
import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import cifvi.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * q(z|x), by w₀ ~ q(w₀|x), w_l = G_l(w_{l-1}; u_l) with u_l ~ q(u_l|w_{l-1}), and z = w_L (eq. 7):
 * a base draw followed by layers.
 *
 * <p>A draw comes with Δ = -log q(w₀|x) + Σ_l (log-weight of layer l), so that E[Δ + log p(x, z)]
 * is the bound (eqs. 16, 17; Algorithm 1).
 */
public record Posterior(Base base, List<Layer> layers) {
  public Posterior {
    layers = List.copyOf(layers);
  }

  /**
   * A draw with what it adds to the bound.
   *
   * @param z {@code [batch, d]}
   * @param delta Δ = log r(u|z) - log q(z, u), {@code [batch]}; for a plain flow -log q(z)
   */
  public record Sample(Tensor z, Tensor delta) {}

  /**
   * One draw for every row of x, Algorithm 1 without the target, as tensors that belong to the
   * caller's {@code PointerScope}.
   */
  public Sample sample(Observation x, Rng rng) {
    Scope.givingTensors();
    Draw w0 = base.given(x).sample(rng);
    Tensor w = w0.value();
    Tensor delta = w0.logDensity().neg();
    for (int i = 0; i < layers.size(); i++) {
      Step step = layers.get(i).forward(w, x, rng.layer(i));
      w = step.w();
      delta = delta.add(step.logWeight());
    }
    return new Sample(w, delta);
  }

  /**
   * The same draw as {@link #sample}, layer by layer, as tensors that belong to the caller's {@code
   * PointerScope}: the base draw first, then what every layer did.
   */
  public List<Step> trace(Observation x, Rng rng) {
    Scope.givingTensors();
    Draw w0 = base.given(x).sample(rng);
    var steps = new ArrayList<Step>();
    steps.add(new Step(w0.value(), w0.logDensity().neg(), null));
    for (int i = 0; i < layers.size(); i++) {
      steps.add(layers.get(i).forward(steps.getLast().w(), x, rng.layer(i)));
    }
    return steps;
  }

  /**
   * log q(z, u) - log r(u|z) with u drawn backwards from r, a tensor that belongs to the caller's
   * {@code PointerScope}: one term of the average that estimates q(z) (eqs. 15, 22). For a plain
   * flow this is log q(z) itself.
   */
  public Tensor logWeight(Tensor z, Observation x, Rng rng) {
    Scope.givingTensors();
    Tensor w = z;
    Tensor sum = null;
    for (int i = layers.size() - 1; i >= 0; i--) {
      Step step = layers.get(i).backward(w, x, rng.layer(i));
      w = step.w();
      sum = sum == null ? step.logWeight() : sum.add(step.logWeight());
    }
    Tensor logBase = base.given(x).logDensity(w);
    return sum == null ? logBase : sum.add(logBase);
  }

  /**
   * w₀ of a path back from z, u drawn from r, as a tensor that belongs to the caller's {@code
   * PointerScope}: a draw of r_X where z is one of r_Z and the layers are a density model (appendix
   * D).
   */
  public Tensor generate(Tensor z, Observation x, Rng rng) {
    Scope.givingTensors();
    Tensor w = z;
    for (int i = layers.size() - 1; i >= 0; i--) {
      w = layers.get(i).generate(w, x, rng.layer(i));
    }
    return w;
  }

  /**
   * The two densities of a draw, of which Δ = log r(u|z) - log q(z, u).
   *
   * @param logQ log q(z, u), {@code [batch]}
   * @param logR log r(u|z), {@code [batch]}; null where nobody asked for it
   */
  public record Densities(Tensor logQ, @Nullable Tensor logR) {}

  /**
   * log q(z, u), a tensor {@code [batch]} that belongs to the caller's {@code PointerScope}, of a
   * draw whose z and u are held fixed: it is differentiable in the parameters alone, through the
   * way back from z.
   *
   * @param trace of the draw, by {@link #trace}
   */
  public Tensor logDensity(List<Step> trace, Observation x) {
    return held(trace, x, false).logQ();
  }

  /**
   * Both densities of a draw whose z and u are held fixed, as tensors that belong to the caller's
   * {@code PointerScope}. r(u_l|w_l) depends on the parameters of the layers after l as well,
   * through which w_l follows from z.
   *
   * @param trace of the draw, by {@link #trace}
   */
  public Densities logDensities(List<Step> trace, Observation x) {
    return held(trace, x, true);
  }

  private Densities held(List<Step> trace, Observation x, boolean withR) {
    Scope.givingTensors();
    Tensor w = trace.getLast().w().detach();
    Tensor logQ = null;
    Tensor logR = withR ? w.new_zeros(w.size(0)) : null;
    for (int i = layers.size() - 1; i >= 0; i--) {
      Layer layer = layers.get(i);
      Tensor drawn = trace.get(i + 1).u();
      Tensor u = drawn == null ? null : drawn.detach();
      if (logR != null && u != null) {
        logR = logR.add(layer.logR(w, u, x));
      }
      Step step = layer.inverse(w, u, x);
      w = step.w();
      logQ = logQ == null ? step.logWeight() : logQ.add(step.logWeight());
    }
    Tensor logBase = base.given(x).logDensity(w);
    return new Densities(logQ == null ? logBase : logQ.add(logBase), logR);
  }

  /** Whether log q(z) itself is known, as for a plain flow. */
  public boolean explicit() {
    return layers.stream().noneMatch(Layer::indexed);
  }
}
