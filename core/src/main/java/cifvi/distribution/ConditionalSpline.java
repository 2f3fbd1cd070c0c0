package cifvi.distribution;

import cifvi.bijection.RationalQuadraticSpline;
import org.bytedeco.pytorch.Tensor;

/**
 * A conditional flow as r(u|z, x): a diagonal normal whose noise a spline bends. Of the network's d
 * (2 + 3K-1) outputs the first are the means, then come the logs of the standard deviations and the
 * raw parameters of each element's spline.
 */
public record ConditionalSpline(ConditionalNetwork network, RationalQuadraticSpline spline)
    implements Conditional {
  /** Number of outputs the network needs for vectors of length d. */
  public static int outputs(RationalQuadraticSpline spline, int d) {
    return d * (2 + spline.rawSize());
  }

  @Override
  public SplinedNormal given(Tensor w, Observation x) {
    Tensor outputs = network.apply(w, x);
    long each = 2L + spline.rawSize();
    long d = outputs.size(1) / each;
    if (d < 1 || outputs.size(1) != d * each) {
      throw new IllegalArgumentException(
          "network: expected %d d outputs, got %d".formatted(each, outputs.size(1)));
    }
    Tensor raw = outputs.narrow(1, 2 * d, d * spline.rawSize()).view(-1, d, spline.rawSize());
    return new SplinedNormal(ConditionalNormal.split(outputs.narrow(1, 0, 2 * d)), spline, raw);
  }
}
