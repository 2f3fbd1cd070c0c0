package cifvi.distribution;

import cifvi.bijection.Mapped;
import cifvi.bijection.RationalQuadraticSpline;
import cifvi.tensor.Rng;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/**
 * v = mean + e^{logStd} RQS(e), e ~ N(0, I), element by element: a flow of one step, whose draws
 * carry gradients.
 *
 * @param frame mean and logStd, {@code [batch, d]}
 * @param raw parameters of the splines, {@code [batch, d, 3K-1]}
 */
public record SplinedNormal(DiagonalNormal frame, RationalQuadraticSpline spline, Tensor raw)
    implements Distribution {
  @Override
  public Draw sample(Rng rng) {
    Mapped bent = spline.forward(rng.normal(raw.size(0), raw.size(1)), raw);
    Tensor v = frame.mean().add(frame.logStd().exp().mul(bent.value()));
    return new Draw(v, logDensity(v));
  }

  @Override
  public Tensor logDensity(Tensor v) {
    Shapes.require("v", v, Shapes.batchOf(raw), raw.size(1));
    Mapped e = spline.inverse(v.sub(frame.mean()).mul(frame.logStd().neg().exp()), raw);
    Tensor zero = v.new_zeros(1, raw.size(1));
    Tensor noise = new DiagonalNormal(zero, zero).logDensity(e.value());
    return noise.add(e.logDet().sub(frame.logStd()).sum(-1));
  }
}
