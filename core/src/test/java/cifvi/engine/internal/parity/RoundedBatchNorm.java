package cifvi.engine.internal.parity;

import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Mapped;
import cifvi.nn.Parameters;
import cifvi.tensor.Scalars;
import org.bytedeco.pytorch.Tensor;

/**
 * Batch norm in training with moved averages and moved gradients of them. All rows share these: the
 * gradient of a scale before it, which batch norm takes out, is a sum over rows that is zero but
 * for them.
 */
record RoundedBatchNorm(BatchNorm norm, Parameters parameters, HalfUlps ulps) implements Bijection {
  @Override
  public Mapped forward(Tensor w) {
    return parameters.training() ? normalised(w) : norm.forward(w);
  }

  private Mapped normalised(Tensor w) {
    Tensor centred = w.sub(ulps.both(w.mean(0)));
    Tensor squares = ulps.both(centred).square();
    Tensor variance = ulps.both(squares.mean(0)).add(Scalars.of(BatchNorm.EPSILON));
    Tensor factor = norm.logScale().exp().div(variance.sqrt());
    Tensor z = product(ulps.both(centred), factor).add(norm.shift());
    Tensor logDet = norm.logScale().sub(variance.log(), Scalars.of(0.5)).sum();
    return new Mapped(z, logDet.expand(w.size(0)));
  }

  /** x y with a y that is moved once for there and once for the backward pass to x. */
  private Tensor product(Tensor x, Tensor y) {
    Tensor value = x.detach();
    return value.mul(ulps.both(y)).add(x.sub(value).mul(ulps.move(y.detach())));
  }

  @Override
  public Mapped inverse(Tensor z) {
    return norm.inverse(z);
  }
}
