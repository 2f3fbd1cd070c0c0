package cifvi.bijection;

import cifvi.nn.AutoregressiveNet;
import java.util.ArrayList;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** The slow direction of an autoregressive map, shared by splines and affine maps. */
final class Autoregressive {
  private Autoregressive() {}

  /**
   * Inverts coordinates one by one: from z {@code [batch, n]} and the network's outputs for these n
   * features, or one row of them for all; log-derivatives {@code [batch, n]}.
   */
  interface Coordinates {
    Mapped invert(Tensor z, Tensor outputs);
  }

  /**
   * Finds w with z_i = f(w_i; net(w_{<i})), one group of coordinates after the other: as many
   * passes of the network as its conditioner has groups, of whose last layer each computes the
   * features of one group only.
   */
  static Mapped invert(AutoregressiveNet net, Tensor z, Coordinates coordinates) {
    int d = net.features();
    var columns = new ArrayList<Tensor>();
    Tensor logDet = z.new_zeros(z.size(0));
    for (int from = 0, to; from < d; from = to) {
      to = net.conditioner().end(from, d);
      // the outputs for the first group depend on nothing: one row of them serves all
      Tensor known = from == 0 ? z.new_zeros(1, d) : columns(columns, z, d - from);
      Mapped w = coordinates.invert(z.narrow(1, from, to - from), net.apply(known, from, to));
      columns.add(w.value());
      logDet = logDet.add(w.logDet().sum(-1));
    }
    return new Mapped(columns(columns, z, 0), logDet);
  }

  /** The columns found so far, then zeros, which the network does not look at. */
  private static Tensor columns(Iterable<Tensor> found, Tensor like, long missing) {
    var all = new TensorVector();
    found.forEach(all::push_back);
    if (missing > 0) {
      all.push_back(like.new_zeros(like.size(0), missing));
    }
    return torch.cat(all, 1);
  }
}
