package cifvi.distribution;

import cifvi.tensor.Rng;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/**
 * The data itself as a base: w₀ is the first {@code features} columns of the row that is observed,
 * and its log-density counts as 0.
 *
 * <p>With it Algorithm 1 trains a density (eqs. 12, 18). The base stands for the distribution q*_X
 * the data comes from, of which only draws are known; its log-density is a constant to all
 * parameters, and left out.
 *
 * @param features how many columns are modelled
 * @param given how many columns stand behind them, which networks may look at
 */
public record DataRows(int features, int given) implements Base {
  public DataRows {
    if (features < 1 || given < 0) {
      throw new IllegalArgumentException(
          "columns: expected at least 1 to model and none or more given, got %d and %d"
              .formatted(features, given));
    }
  }

  /** Knows no row where nothing is observed, but the density of one as well as elsewhere: 0. */
  @Override
  public Distribution given(Observation x) {
    return new Distribution() {
      @Override
      public Draw sample(Rng rng) {
        Tensor w = rows(x);
        return new Draw(w, w.new_zeros(w.size(0)));
      }

      @Override
      public Tensor logDensity(Tensor v) {
        return v.new_zeros(v.size(0));
      }
    };
  }

  /** Of a row: those that are modelled, and those that are given. */
  public int columns() {
    return features + given;
  }

  /** The columns that are modelled, {@code [batch, features]}. */
  public Tensor rows(Observation x) {
    return data(x).narrow(1, 0, features);
  }

  private Tensor data(Observation x) {
    if (!(x instanceof Observation.Batch(Tensor data))
        || data.dim() != 2
        || data.size(1) != columns()) {
      throw new IllegalArgumentException(
          "x: expected rows of " + columns() + " columns, got " + text(x));
    }
    return data;
  }

  /** The columns that are given, {@code [batch, given]}. */
  public Tensor context(Observation x) {
    return data(x).narrow(1, features, given);
  }

  private static String text(Observation x) {
    return switch (x) {
      case Observation.Batch(Tensor data) -> Shapes.text(data.shape());
      case Observation.None _ -> "no observation";
    };
  }
}
