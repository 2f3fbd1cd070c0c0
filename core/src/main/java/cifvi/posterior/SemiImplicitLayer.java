package cifvi.posterior;

import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.DiagonalNormal;
import cifvi.distribution.Observation;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.tensor.Rng;
import cifvi.tensor.Scalars;
import cifvi.tensor.Shapes;
import java.util.Objects;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;

/**
 * z ~ q(·|f(ε)), where ε ~ N(0, I) is the base's draw and f any network: semi-implicit variational
 * inference (Yin &amp; Zhou, 2018). q(z|u) is a normal, the density of u = f(ε) is not known.
 *
 * <p>Nothing has to be learnt for r. With ε₀ = ε and K more draws ε_k of N(0, I), the bound has
 * -log 1/(K+1) Σ_k q(z|ε_k) in the place of -log q(z). This is an auxiliary bound all the same
 * (Lawson et al., 2019): on the space of z and all ε_k
 *
 * <pre>
 *   q(z, ε_{0:K}) = q(z|ε₀) Π_k N(ε_k),   r(ε_{0:K}|z) = q(z, ε_{0:K}) / (1/(K+1) Σ_k q(z|ε_k)),
 * </pre>
 *
 * <p>which is normalised, and drawn from by drawing all ε_k from N(0, I) and choosing the first of
 * them in proportion to q(z|ε_k). Hence the way back gives 1/(K+1) Σ_k q(z|ε_k) with fresh ε_k, and
 * the two-sided estimates of the marginal ELBO hold as for a CIF.
 *
 * <p>The layer stands first, on a base N(0, I), whose density it takes back out of the sum.
 *
 * @param q z given ε, f being its network
 * @param index dimension of ε
 * @param features dimension of z
 * @param extra K
 */
public record SemiImplicitLayer(ConditionalNormal q, int index, int features, int extra)
    implements Layer {
  public SemiImplicitLayer {
    if (extra < 0) {
      throw new IllegalArgumentException("extra: expected at least 0, got " + extra);
    }
  }

  /** A layer whose network is an MLP with two hidden layers of this width. */
  public static SemiImplicitLayer gaussian(
      Parameters parameters, int index, int features, int hidden, int extra) {
    var f = new Mlp(parameters.in("q"), index, hidden, hidden, 2L * features);
    return new SemiImplicitLayer(new ConditionalNormal(f), index, features, extra);
  }

  @Override
  public Step forward(Tensor w, Observation x, Rng rng) {
    Shapes.require("w", w, Shapes.BATCH, index);
    long rows = w.size(0);
    long drawn = (long) extra * index;
    // one address of noise: K draws of ε first, then that of z
    Tensor noise = rng.normal(rows, drawn + features);
    Tensor more = noise.narrow(1, 0, drawn).reshape(rows, extra, index);
    DiagonalNormal all = given(torch.cat(new TensorVector(w.unsqueeze(1), more), 1), x);
    Tensor mean = all.mean().select(1, 0);
    Tensor std = all.logStd().select(1, 0).exp();
    Tensor z = mean.add(std.mul(noise.narrow(1, drawn, features)));
    return new Step(z, logBase(w).sub(logMean(all.logDensity(z.unsqueeze(1)))), w);
  }

  @Override
  public Step backward(Tensor z, Observation x, Rng rng) {
    long rows = z.size(0);
    long numbers = (extra + 1L) * index;
    Tensor noise = rng.normal(rows, numbers + 1); // the last number chooses the first ε
    Tensor drawn = noise.narrow(1, 0, numbers).reshape(rows, extra + 1L, index);
    Tensor logs = given(drawn, x).logDensity(z.unsqueeze(1));
    Tensor uniform = noise.narrow(1, numbers, 1).mul(Scalars.of(-Math.sqrt(0.5))).erfc();
    Tensor passed = uniform.mul(Scalars.of(0.5)).gt(torch.softmax(logs, 1).cumsum(1));
    Tensor first = passed.sum(1).clamp_max(Scalars.of(extra)).to(ScalarType.Long);
    Tensor w = drawn.gather(1, first.view(rows, 1, 1).expand(rows, 1, index)).squeeze(1);
    return new Step(w, logMean(logs).sub(logBase(w)), w);
  }

  /** With ε₀ alone: what the other ε_k add to log q(z, ε) depends on no parameter. */
  @Override
  public Step inverse(Tensor z, @Nullable Tensor u, Observation x) {
    Tensor first = Objects.requireNonNull(u);
    return new Step(first, q.given(first, x).logDensity(z), first);
  }

  @Override
  public boolean indexed() {
    return true;
  }

  /** q(z|ε_k) for every row and k, from ε {@code [rows, K+1, index]}. */
  private DiagonalNormal given(Tensor drawn, Observation x) {
    DiagonalNormal flat = q.given(drawn.reshape(-1, index), x.repeat(extra + 1L));
    return new DiagonalNormal(
        flat.mean().view(-1, extra + 1L, features), flat.logStd().view(-1, extra + 1L, features));
  }

  /** log 1/(K+1) Σ_k q(z|ε_k), from the logarithms of the terms. */
  private Tensor logMean(Tensor logs) {
    return logs.logsumexp(1).sub(Scalars.of(Math.log(extra + 1.0)));
  }

  private static Tensor logBase(Tensor w) {
    Tensor zero = w.new_zeros(1, w.size(1));
    return new DiagonalNormal(zero, zero).logDensity(w);
  }
}
