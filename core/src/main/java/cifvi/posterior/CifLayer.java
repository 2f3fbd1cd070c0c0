package cifvi.posterior;

import cifvi.bijection.Bijection;
import cifvi.bijection.IndexedBijection;
import cifvi.bijection.Mapped;
import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.Draw;
import cifvi.distribution.Observation;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.tensor.Rng;
import java.util.Objects;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * u ~ q(·|w), z = G(w; u) = e^{s(u)} (g(w) + t(u)) (eqs. 4, 6): a continuously-indexed layer. Its
 * log-weight is log r(u|z, x) - log q(u|w) + log|det DG(w; u)| (eqs. 9, 16).
 *
 * <p>log r - log q is formed before anything is added to it: where q and r agree it is exactly
 * zero, and the layer is exactly its bijection (Prop. 3.1).
 */
public record CifLayer(IndexedBijection G, Conditional q, Conditional r) implements Layer {
  /**
   * A layer around g whose s and t, q and r come from MLPs with these hidden widths.
   *
   * @param features dimension of w
   * @param index dimension of u
   */
  public static CifLayer gaussian(
      Parameters parameters, Bijection g, int features, int index, long... hidden) {
    var r = new ConditionalNormal(mlp(parameters.in("r"), features, hidden, 2L * index));
    return gaussian(parameters, g, features, index, r, hidden);
  }

  /** The same with an r of its own, one that looks at data for instance. */
  public static CifLayer gaussian(
      Parameters parameters, Bijection g, int features, int index, Conditional r, long... hidden) {
    var st = mlp(parameters.in("st"), index, hidden, 2L * features);
    var q = new ConditionalNormal(mlp(parameters.in("q"), features, hidden, 2L * index));
    return new CifLayer(new IndexedBijection(g, st), q, r);
  }

  private static Mlp mlp(Parameters parameters, long in, long[] hidden, long out) {
    var widths = LongStream.builder().add(in);
    LongStream.of(hidden).forEach(widths::add);
    return new Mlp(parameters, widths.add(out).build().toArray());
  }

  @Override
  public Step forward(Tensor w, Observation x, Rng rng) {
    Draw u = q.given(w, x).sample(rng);
    Mapped z = G.at(u.value()).forward(w);
    Tensor logR = r.given(z.value(), x).logDensity(u.value());
    return new Step(z.value(), logR.sub(u.logDensity()).add(z.logDet()), u.value());
  }

  @Override
  public Step backward(Tensor z, Observation x, Rng rng) {
    Draw u = r.given(z, x).sample(rng);
    Mapped w = G.at(u.value()).inverse(z);
    Tensor logQ = q.given(w.value(), x).logDensity(u.value());
    return new Step(w.value(), logQ.sub(u.logDensity()).add(w.logDet()), u.value());
  }

  @Override
  public Tensor generate(Tensor z, Observation x, Rng rng) {
    return G.at(r.given(z, x).sample(rng).value()).inverse(z).value();
  }

  @Override
  public Step inverse(Tensor z, @Nullable Tensor u, Observation x) {
    Tensor index = Objects.requireNonNull(u);
    Mapped w = G.at(index).inverse(z);
    return new Step(w.value(), q.given(w.value(), x).logDensity(index).add(w.logDet()), index);
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
