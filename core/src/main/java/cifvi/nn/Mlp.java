package cifvi.nn;

import java.util.ArrayList;
import java.util.List;
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
