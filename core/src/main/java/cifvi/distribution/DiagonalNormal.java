package cifvi.distribution;

import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/**
 * N(mean, diag(e^{2 logStd})): draws are mean + e^{logStd} ε, and the log-density is taken at the
 * draw, so that gradients flow through both (plain reparametrisation, no stop-gradient).
 *
 * @param mean {@code [batch, d]}
 * @param logStd natural log of the standard deviations, {@code [batch, d]}
 */
public record DiagonalNormal(Tensor mean, Tensor logStd) implements Distribution {
  static final double HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

  @Override
  public Draw sample(Rng rng) {
    Tensor noise = rng.normal(mean.size(0), mean.size(1));
    Tensor v = mean.add(logStd.exp().mul(noise));
    return new Draw(v, logDensity(v));
  }

  @Override
  public Tensor logDensity(Tensor v) {
    if (mean.dim() == 2) { // a mixture has looked already
      Shapes.require("v", v, Shapes.batchOf(mean), mean.size(1));
    }
    Tensor e = v.sub(mean).mul(logStd.neg().exp());
    Tensor terms = e.mul(e).mul(Scalars.of(-0.5)).sub(logStd).sub(Scalars.of(HALF_LOG_2PI));
    return terms.sum(-1);
  }
}
