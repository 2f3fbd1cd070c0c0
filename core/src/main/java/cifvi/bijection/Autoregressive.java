package cifvi.bijection;

import cifvi.nn.AutoregressiveNet;
import java.util.ArrayList;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** The slow direction of an autoregressive map, shared by splines and affine maps. */
final class Autoregressive {
  private Autoregressive() {}

  /** Inverts one coordinate: from z_i and the network's outputs for feature i. */
  interface Coordinate {
    Mapped invert(Tensor z, Tensor outputs);
  }

  /**
   * Finds w with z_i = f(w_i; net(w_{<i})), one coordinate after the other: d passes of the
   * network, of whose last layer each computes one feature only.
   */
  static Mapped invert(AutoregressiveNet net, Tensor z, Coordinate coordinate) {
    int d = net.features();
    var columns = new ArrayList<Tensor>();
    Tensor logDet = z.new_zeros(z.size(0));
    for (int i = 0; i < d; i++) {
      // the outputs for the first feature depend on nothing: one row of them serves all
      Tensor known = i == 0 ? z.new_zeros(1, d) : columns(columns, z, d - i);
      Mapped w = coordinate.invert(z.select(1, i), net.apply(known, i));
      columns.add(w.value().unsqueeze(1));
      logDet = logDet.add(w.logDet());
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
