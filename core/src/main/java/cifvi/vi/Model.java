package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.nn.Parameters;
import cifvi.posterior.Posterior;
import cifvi.target.HostTarget;
import cifvi.target.Target;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Shapes;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** q(z|x), p(x, z) and θ: a posterior, the target it approximates, and the parameters of both. */
public record Model(Posterior posterior, Target target, Parameters parameters)
    implements AutoCloseable {
  private static final String NO_GRADIENT =
      "target: log p(x, z) has no gradient in z; compute it from z by differentiable operations of"
          + " libtorch alone, without detach() or Java numbers";

  /**
   * log p(x, z) of every row, a tensor {@code [batch]} of the caller's {@code PointerScope}, in the
   * type of z whatever the target computes with.
   *
   * @throws IllegalArgumentException where the target gives another shape, no real numbers, or
   *     numbers that autograd cannot follow back to z
   */
  public Tensor logJoint(Observation x, Tensor z) {
    Tensor log = target.logJoint(x, z);
    Shapes.require("target", log, z.size(0));
    if (!log.is_floating_point()) {
      throw new IllegalArgumentException(
          "target: expected real numbers, got dtype " + log.scalar_type().intern());
    }
    if (z.requires_grad() && !log.requires_grad()) {
      throw new IllegalArgumentException(NO_GRADIENT);
    }
    return log.to(z.scalar_type());
  }

  /**
   * Refuses a target whose gradient in z autograd does not know, although it may have one in the
   * target's own parameters: every step would follow the entropy of the posterior alone.
   */
  public void requireGradient(Observation x) {
    if (target instanceof HostTarget) {
      return; // it gives its gradient itself, and may be expensive
    }
    parameters.training(false);
    try (var _ = new PointerScope()) {
      Tensor z = anyDraw(x).set_requires_grad(true);
      var gradients =
          torch.grad(
              new TensorVector(logJoint(x, z).sum()),
              new TensorVector(z),
              new TensorVector(),
              new BoolOptional(),
              false,
              true);
      if (!gradients.get(0).defined()) {
        throw new IllegalArgumentException(NO_GRADIENT);
      }
    }
  }

  private Tensor anyDraw(Observation x) {
    try (var _ = new NoGradGuard()) {
      var rng = new CounterRng(parameters.backend(), 0, Purpose.EVALUATE);
      return posterior.sample(x, rng).z().detach();
    }
  }

  @Override
  public void close() {
    parameters.close();
  }
}
