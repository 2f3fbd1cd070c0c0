package cifvi.distribution;

import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import org.bytedeco.pytorch.Tensor;

/**
 * The same diagonal normal for every row, with mean 0 and a fixed or learnt standard deviation in
 * each dimension.
 */
public record NormalBase(Tensor mean, Tensor logStd) implements Base {
  /**
   * Standard deviation σ₀ in all dimensions; learnt, it is one parameter {@code log_stddev} a
   * dimension.
   */
  public static NormalBase create(
      Parameters parameters, int features, double sigma0, boolean learn) {
    if (!(sigma0 > 0) || Double.isInfinite(sigma0)) {
      throw new IllegalArgumentException("sigma0: expected a positive number, got " + sigma0);
    }
    Backend backend = parameters.backend();
    Tensor logStd = backend.full(Math.log(sigma0), features);
    return new NormalBase(
        parameters.buffer("mean", backend.zeros(features)),
        learn ? parameters.add("log_stddev", logStd) : parameters.buffer("log_stddev", logStd));
  }

  @Override
  public DiagonalNormal given(Observation x) {
    long d = mean.size(0);
    return new DiagonalNormal(mean.expand(x.rows(), d), logStd.expand(x.rows(), d));
  }
}
