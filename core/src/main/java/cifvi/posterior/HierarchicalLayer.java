package cifvi.posterior;

import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.Draw;
import cifvi.distribution.Observation;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.tensor.Rng;
import java.util.Objects;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * z ~ q(·|u), where u is what the layer before it gave: a level of a hierarchical variational model
 * (Ranganath et al., 2016; section 3.2). Its log-weight is log r(u|z, x) - log q(z|u).
 *
 * <p>On a base q(u), with or without a flow behind it, q(z, u) = q(z|u) q(u). z may have another
 * dimension than u, and levels may stand on each other.
 */
public record HierarchicalLayer(Conditional q, Conditional r) implements Layer {
  /**
   * A level whose q and r come from MLPs with two hidden layers of this width.
   *
   * @param index dimension of u
   * @param features dimension of z
   */
  public static HierarchicalLayer gaussian(
      Parameters parameters, int index, int features, int hidden) {
    var q = new Mlp(parameters.in("q"), index, hidden, hidden, 2L * features);
    var r = new Mlp(parameters.in("r"), features, hidden, hidden, 2L * index);
    return new HierarchicalLayer(new ConditionalNormal(q), new ConditionalNormal(r));
  }

  @Override
  public Step forward(Tensor u, Observation x, Rng rng) {
    Draw z = q.given(u, x).sample(rng);
    Tensor logR = r.given(z.value(), x).logDensity(u);
    return new Step(z.value(), logR.sub(z.logDensity()), u);
  }

  @Override
  public Step backward(Tensor z, Observation x, Rng rng) {
    Draw u = r.given(z, x).sample(rng);
    Tensor logQ = q.given(u.value(), x).logDensity(z);
    return new Step(u.value(), logQ.sub(u.logDensity()), u.value());
  }

  @Override
  public Step inverse(Tensor z, @Nullable Tensor u, Observation x) {
    Tensor index = Objects.requireNonNull(u);
    return new Step(index, q.given(index, x).logDensity(z), index);
  }

  @Override
  public Tensor logR(Tensor z, Tensor u, Observation x) {
    return r.given(z, x).logDensity(u);
  }

  @Override
  public boolean indexed() {
    return true;
  }
}
