package cifvi.engine.internal.parity;

import cifvi.bijection.Bijection;
import cifvi.bijection.Mapped;
import cifvi.bijection.SplineAutoregressive;
import cifvi.tensor.Scalars;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Splines whose knots are rounded as numbers of the size of their box. A bin is the difference of
 * two knots: the narrower it is, the more it moves, and with it every slope in it.
 */
record RoundedSpline(SplineAutoregressive g, RoundedNetworks networks, HalfUlps ulps)
    implements Bijection {
  private static final double MIN_SIZE = 1e-3;

  @Override
  public Mapped forward(Tensor w) {
    Tensor raw = networks.apply(g.made(), w).view(-1, w.size(1), g.spline().rawSize());
    Mapped elements = g.spline().forward(inBox(w), knots(raw));
    return new Mapped(elements.value(), elements.logDet().sum(-1));
  }

  @Override
  public Mapped inverse(Tensor z) {
    return g.inverse(inBox(z));
  }

  /** A place among knots of that size. */
  private Tensor inBox(Tensor x) {
    return x.add(shared(x.new_full(x.sizes(), Scalars.of(g.spline().bound()))));
  }

  /** Moves of numbers of this size; all rows share the knots of the first feature. */
  private Tensor shared(Tensor size) {
    Tensor moves = ulps.shift(torch.zeros_like(size), size);
    Tensor first = moves.narrow(1, 0, 1);
    first.copy_(first.narrow(0, 0, 1).clone());
    return moves;
  }

  /**
   * Moves the logarithms of the sizes of bins, {@code [batch, d, 3K-1]}. All rows share the knots
   * of the first feature and what they were rounded to.
   */
  private Tensor knots(Tensor raw) {
    long bins = g.spline().bins();
    Tensor sizes = torch.softmax(raw.detach().narrow(-1, 0, 2 * bins).unflatten(-1, 2, bins), -1);
    Tensor relative = sizes.add(Scalars.of(MIN_SIZE)).reciprocal().flatten(-2, -1);
    Tensor moves = shared(relative);
    Tensor slopes = raw.detach().narrow(-1, 2 * bins, bins - 1).mul(Scalars.of(0));
    return raw.add(torch.cat(new TensorVector(moves, slopes), -1));
  }
}
