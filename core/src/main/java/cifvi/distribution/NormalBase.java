package cifvi.distribution;

import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import org.bytedeco.pytorch.Tensor;

/**
 * The same diagonal normal for every row. As the base of a flow it has mean 0, and a fixed or
 * learnt standard deviation in each dimension; alone, with its mean learnt too, it is a mean-field
 * posterior.
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

  /** N(0, 1) to begin with; {@code mean} and {@code log_stddev} are learnt. */
  public static NormalBase meanField(Parameters parameters, int features) {
    Backend backend = parameters.backend();
    return new NormalBase(
        parameters.add("mean", backend.zeros(features)),
        parameters.add("log_stddev", backend.zeros(features)));
  }

  @Override
  public DiagonalNormal given(Observation x) {
    long d = mean.size(0);
    return new DiagonalNormal(mean.expand(x.rows(), d), logStd.expand(x.rows(), d));
  }
}
