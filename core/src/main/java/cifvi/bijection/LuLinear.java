package cifvi.bijection;

import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.Scalars;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * z = L U w + b with L unit lower and U upper triangular, log|det| = Σ log diag U; starts as the
 * identity.
 *
 * <p>diag U = softplus(p) + {@link #MIN_DIAGONAL}; the strict triangles are stored as row-major
 * vectors.
 */
public final class LuLinear implements Bijection {
  /** Added to the softplus that gives the diagonal of U. */
  public static final double MIN_DIAGONAL = 1e-3;

  private final int features;
  private final Tensor bias;
  private final Tensor lower;
  private final Tensor upper;
  private final Tensor diagonal;
  private final Tensor lowerIndex;
  private final Tensor upperIndex;
  private final Tensor zeroOne;

  public LuLinear(Parameters parameters, int features) {
    this.features = features;
    var lu = parameters.in("lu");
    Backend backend = parameters.backend();
    int entries = features * (features - 1) / 2;
    double one = Math.log(Math.expm1(1 - MIN_DIAGONAL)); // the p of a diagonal of ones
    bias = lu.add("bias", backend.zeros(features));
    lower = lu.add("lower_entries", backend.zeros(entries));
    upper = lu.add("upper_entries", backend.zeros(entries));
    diagonal = lu.add("unconstrained_upper_diag", backend.full(one, features));
    lowerIndex = parameters.own(index(backend, true));
    upperIndex = parameters.own(index(backend, false));
    zeroOne = parameters.own(backend.tensor(new double[] {0, 1}, 2));
  }

  /**
   * Where each entry of the matrix comes from: L from (entries, 0, 1), U from (entries, diagonal,
   * 0, 1), so that one gather builds the matrix.
   */
  private Tensor index(Backend backend, boolean isLower) {
    int entries = features * (features - 1) / 2;
    long[] index = new long[features * features];
    long next = 0;
    for (int i = 0; i < features; i++) {
      for (int j = 0; j < features; j++) {
        boolean inside = isLower ? j < i : j > i;
        long onDiagonal = isLower ? entries + 1 : entries + i;
        long zero = isLower ? entries : entries + features;
        index[i * features + j] = inside ? next++ : i == j ? onDiagonal : zero;
      }
    }
    return backend.longs(index, index.length);
  }

  public Tensor bias() {
    return bias;
  }

  /** The entries of L below its diagonal, row by row. */
  public Tensor lower() {
    return lower;
  }

  /** The entries of U above its diagonal, row by row. */
  public Tensor upper() {
    return upper;
  }

  /** What the softplus turns into the diagonal of U. */
  public Tensor diagonal() {
    return diagonal;
  }

  private Tensor lowerMatrix() {
    return torch
        .cat(new TensorVector(lower, zeroOne))
        .index_select(0, lowerIndex)
        .view(features, features);
  }

  private Tensor upperMatrix() {
    return torch
        .cat(new TensorVector(upper, upperDiagonal(), zeroOne))
        .index_select(0, upperIndex)
        .view(features, features);
  }

  private Tensor upperDiagonal() {
    return torch.softplus(diagonal).add(Scalars.of(MIN_DIAGONAL));
  }

  private Tensor logDet() {
    return upperDiagonal().log().sum();
  }

  @Override
  public Mapped forward(Tensor w) {
    Shapes.require("w", w, Shapes.BATCH, features);
    Tensor z = w.matmul(upperMatrix().t()).matmul(lowerMatrix().t()).add(bias);
    return new Mapped(z, logDet().expand(w.size(0)));
  }

  @Override
  public Mapped inverse(Tensor z) {
    Shapes.require("z", z, Shapes.BATCH, features);
    Tensor y = torch.linalg_solve_triangular(lowerMatrix(), z.sub(bias).t(), false, true, true);
    Tensor w = torch.linalg_solve_triangular(upperMatrix(), y, true).t();
    return new Mapped(w, logDet().neg().expand(z.size(0)));
  }
}
