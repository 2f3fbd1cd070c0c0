package cifvi.start.internal;

import cifvi.distribution.Observation;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.tensor.Scope;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** A target of libtorch operations on z = c + F v, as a density of v. */
public final class FramedTarget implements Target, Score {
  private final Target target;
  private final Tensor centre;
  private final Tensor factor; // Fᵀ
  private final double logDet;
  private final Backend backend;
  private final Tensor beta;
  private boolean tempered;

  public FramedTarget(Target target, Frame frame, Backend backend) {
    this.target = target;
    this.backend = backend;
    int d = frame.dimensions();
    logDet = frame.logDet();
    try (var _ = new PointerScope()) {
      centre = Scope.keep(backend.tensor(frame.centre(), d));
      beta = Scope.keep(backend.full(1, 1));
      factor = Scope.keep(backend.tensor(frame.factor(), d, d).t().contiguous());
    }
  }

  @Override
  public Target target(Backend backend) {
    return this;
  }

  /** A tensor in place, so that steps which were recorded see it. */
  @Override
  public void temper(double beta) {
    tempered |= beta < 1;
    this.beta.fill_(Scalars.of(beta));
  }

  @Override
  public boolean twiceDifferentiable() {
    return target.twiceDifferentiable();
  }

  @Override
  public Tensor logJoint(Observation x, Tensor v) {
    Tensor log = target.logJoint(x, v.matmul(factor).add(centre)).add(Scalars.of(logDet));
    if (!tempered) {
      return log;
    }
    Tensor reference =
        v.square().sum(1).mul(Scalars.of(-0.5)).sub(Scalars.of(v.size(1) * HALF_LOG_2_PI));
    return reference.add(log.sub(reference).mul(beta));
  }

  @Override
  public void answers(double[] v, double[] logP, double @Nullable [] gradients) {
    long rows = logP.length;
    try (var _ = new PointerScope()) {
      Tensor points = backend.tensor(v, rows, v.length / rows);
      points.set_requires_grad(gradients != null);
      Tensor log = logJoint(Observation.none(rows), points);
      System.arraycopy(Backend.doubles(log), 0, logP, 0, logP.length);
      if (gradients != null) {
        log.sum().backward();
        System.arraycopy(Backend.doubles(points.grad()), 0, gradients, 0, gradients.length);
      }
    }
    for (int i = 0; i < logP.length; i++) {
      if (!Double.isFinite(logP[i])) {
        logP[i] = Double.NEGATIVE_INFINITY;
      }
    }
  }

  @Override
  public double seconds() {
    return Double.NaN;
  }

  @Override
  public Precision precision() {
    return backend.precision();
  }

  @Override
  public void close() {
    Scope.release(centre);
    Scope.release(factor);
    Scope.release(beta);
  }
}
