package cifvi.posterior;

import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.IndexedBijection;
import cifvi.bijection.Mapped;
import cifvi.distribution.DataRows;
import cifvi.distribution.Observation;
import cifvi.nn.Network;
import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * z = e^{s(c)} (w + t(c)): the affine of eq. 6 with the columns c that are given in place of an
 * index. Between the steps of a flow it makes the density of the others one for every c.
 *
 * @param st the network of t and s: {@code [batch, given]} to {@code [batch, 2d]}
 * @param rows which columns are given
 */
public record GivenAffine(Network st, DataRows rows) implements Layer {
  @Override
  public Step forward(Tensor w, Observation x, Rng rng) {
    return step(affine(x).forward(w));
  }

  @Override
  public Step backward(Tensor z, Observation x, Rng rng) {
    return step(affine(x).inverse(z));
  }

  @Override
  public Step inverse(Tensor z, @Nullable Tensor u, Observation x) {
    return step(affine(x).inverse(z));
  }

  @Override
  public boolean indexed() {
    return false;
  }

  private Bijection affine(Observation x) {
    return new IndexedBijection(Chain.IDENTITY, st).at(rows.context(x));
  }

  private static Step step(Mapped mapped) {
    return new Step(mapped.value(), mapped.logDet(), null);
  }
}
