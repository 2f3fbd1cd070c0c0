package cifvi.nn;

import cifvi.tensor.Scalars;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * A multi-layer perceptron with tanh between its linear maps, none after the last; names {@code 0},
 * {@code 1}, …
 */
public final class Mlp implements Network {
  private final List<Linear> layers;

  /** {@code new Mlp(p, 2, 10, 10, 4)} maps R² to R⁴ through two hidden layers of ten. */
  public Mlp(Parameters parameters, long... widths) {
    if (widths.length < 2) {
      throw new IllegalArgumentException(
          "widths: expected at least inputs and outputs, got " + widths.length);
    }
    var linears = new ArrayList<Linear>();
    for (int i = 0; i + 1 < widths.length; i++) {
      linears.add(new Linear(parameters.in(Integer.toString(i)), widths[i], widths[i + 1]));
    }
    layers = List.copyOf(linears);
  }

  Mlp(List<Linear> layers) {
    this.layers = layers;
  }

  public List<Linear> layers() {
    return layers;
  }

  /**
   * Starts outputs near {@code slope} times the inputs, the first {@code outputs} or as many as
   * there are inputs, where inputs are not far beyond {@code reach}: one hidden unit of every layer
   * carries one of them. For starting values other than the usual ones, before {@link
   * Parameters#flat}.
   */
  public void startLinear(long outputs, double slope, double reach) {
    Linear last = layers.getLast();
    long count = Math.min(outputs, layers.getFirst().weight().size(1));
    for (Linear layer : layers) {
      count = Math.min(count, layer.weight().size(0));
    }
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      for (Linear layer : layers) {
        double factor =
            layer == layers.getFirst() ? 0.5 / reach : layer == last ? slope * 2 * reach : 1;
        Tensor rows = layer.weight().narrow(0, 0, count);
        rows.zero_();
        rows.narrow(1, 0, count).diagonal().fill_(Scalars.of(factor));
        layer.bias().narrow(0, 0, count).zero_();
      }
    }
  }

  /** Multiplies outputs by {@code factor} and adds {@code shift} to them, likewise. */
  public void rescale(long from, long count, double factor, double shift) {
    Linear last = layers.getLast();
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      last.weight().narrow(0, from, count).mul_(Scalars.of(factor));
      last.bias().narrow(0, from, count).mul_(Scalars.of(factor)).add_(Scalars.of(shift));
    }
  }

  @Override
  public Tensor apply(Tensor x) {
    return layers.getLast().apply(hidden(x));
  }

  /** The input of the last linear map. */
  Tensor hidden(Tensor x) {
    Tensor h = x;
    for (Linear layer : layers.subList(0, layers.size() - 1)) {
      h = layer.apply(h).tanh();
    }
    return h;
  }
}
