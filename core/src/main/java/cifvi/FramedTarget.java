package cifvi;

import cifvi.distribution.Observation;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.Scalars;
import cifvi.tensor.Scope;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/** A target of libtorch operations on z = c + F v, as a density of v. */
final class FramedTarget implements Target, AutoCloseable {
  private final Target target;
  private final Tensor centre;
  private final Tensor factor; // Fᵀ
  private final double logDet;

  FramedTarget(Target target, Frame frame, Backend backend) {
    this.target = target;
    int d = frame.dimensions();
    logDet = frame.logDet();
    try (var _ = new PointerScope()) {
      centre = Scope.keep(backend.tensor(frame.centre(), d));
      factor = Scope.keep(backend.tensor(frame.factor(), d, d).t().contiguous());
    }
  }

  @Override
  public Tensor logJoint(Observation x, Tensor v) {
    return target.logJoint(x, v.matmul(factor).add(centre)).add(Scalars.of(logDet));
  }

  @Override
  public void close() {
    Scope.release(centre);
    Scope.release(factor);
  }
}
