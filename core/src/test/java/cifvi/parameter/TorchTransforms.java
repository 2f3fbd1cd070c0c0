package cifvi.parameter;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import java.util.function.IntUnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The transforms of Stan's Reference Manual, chapter "Constraint Transforms", written down once
 * more in libtorch operations: {@code [rows, unconstrained]} to {@code [rows, dimensions of x]}.
 */
final class TorchTransforms {
  static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);

  private TorchTransforms() {}

  static Tensor lower(Tensor y, double bound) {
    return y.exp().add(Scalars.of(bound));
  }

  static Tensor upper(Tensor y, double bound) {
    return y.exp().neg().add(Scalars.of(bound));
  }

  static Tensor interval(Tensor y, double lower, double upper) {
    return y.sigmoid().mul(Scalars.of(upper - lower)).add(Scalars.of(lower));
  }

  /** softmax(H y) with the columns of H written out. */
  static Tensor simplex(Tensor y, int size) {
    var h = new double[size * (size - 1)];
    for (int n = 1; n < size; n++) {
      for (int k = 0; k <= n; k++) {
        h[k * (size - 1) + n - 1] = (k < n ? 1 : -n) / Math.sqrt(n * (n + 1.0));
      }
    }
    return y.matmul(FLOAT64.tensor(h, size, size - 1).t()).softmax(1);
  }

  static Tensor ordered(Tensor y, boolean positive) {
    Tensor first = y.narrow(1, 0, 1);
    Tensor steps = y.narrow(1, 1, y.size(1) - 1).exp();
    return torch.cat(new TensorVector(positive ? first.exp() : first, steps), 1).cumsum(1);
  }

  static Tensor unitVector(Tensor y) {
    return y.div(y.square().sum(1).sqrt().unsqueeze(1));
  }

  /** x_ij = z_ij sqrt(1 - sum of squares before it), and the square root itself at the end. */
  static Tensor correlationCholesky(Tensor y, int size) {
    Tensor z = y.tanh();
    Tensor zero = y.new_zeros(y.size(0));
    return matrix(
        size,
        size,
        row -> row * (row - 1) / 2,
        (first, row, column, before) -> {
          Tensor rest = before.square().sum(1).neg().add(Scalars.of(1)).sqrt();
          if (column > row) {
            return zero;
          }
          return column == row ? rest : z.select(1, first + column).mul(rest);
        },
        y);
  }

  static Tensor covarianceCholesky(Tensor y, int rows, int columns) {
    Tensor zero = y.new_zeros(y.size(0));
    return matrix(
        rows,
        columns,
        row ->
            row < columns
                ? row * (row + 1) / 2
                : columns * (columns + 1) / 2 + (row - columns) * columns,
        (first, row, column, before) -> {
          if (column > row) {
            return zero;
          }
          Tensor entry = y.select(1, first + column);
          return column == row ? entry.exp() : entry;
        },
        y);
  }

  private interface Entry {
    /** The entry of a row whose numbers in y begin at first; before: what the row has so far. */
    Tensor at(int first, int row, int column, Tensor before);
  }

  private static Tensor matrix(
      int rows, int columns, IntUnaryOperator first, Entry entry, Tensor y) {
    var all = new TensorVector();
    for (int i = 0; i < rows; i++) {
      var row = new TensorVector(y.new_zeros(y.size(0)));
      for (int j = 0; j < columns; j++) {
        row.push_back(entry.at(first.applyAsInt(i), i, j, torch.stack(row, 1)));
      }
      all.push_back(torch.stack(row, 1).narrow(1, 1, columns));
    }
    return torch.stack(all, 1);
  }
}
