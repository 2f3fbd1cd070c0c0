package cifvi.nn;

import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * y = W x + b, weight {@code [out, in]}; entries start uniform on ±1/√in as in PyTorch, masks
 * ignored.
 */
public final class Linear implements Network {
  private final Tensor weight;
  private final Tensor bias;
  private final TensorOptional optionalBias;

  public Linear(Parameters parameters, long in, long out) {
    this(parameters, in, out, 1 / Math.sqrt((double) in));
  }

  /** With entries that start uniform on ±bound. */
  public Linear(Parameters parameters, long in, long out, double bound) {
    this(
        parameters,
        parameters.uniform("weight", bound, out, in),
        parameters.uniform("bias", bound, out));
  }

  private Linear(Parameters parameters, Tensor weight, Tensor bias) {
    this.weight = weight;
    this.bias = bias;
    this.optionalBias = parameters.own(new TensorOptional(bias));
  }

  /**
   * A linear map of which only the entries where {@code mask} ({@code [out, in]}) is 1 take part.
   */
  public static Linear masked(Parameters parameters, Tensor mask) {
    return masked(parameters, mask, 1 / Math.sqrt((double) mask.size(1)));
  }

  static Linear masked(Parameters parameters, Tensor mask, double bound) {
    return new Linear(
        parameters,
        parameters.masked("weight", bound, mask),
        parameters.uniform("bias", bound, mask.size(0)));
  }

  public Tensor weight() {
    return weight;
  }

  public Tensor bias() {
    return bias;
  }

  @Override
  public Tensor apply(Tensor x) {
    if (x.size(-1) != weight.size(1)) {
      Shapes.require("x", x, Shapes.BATCH, weight.size(1));
    }
    Shapes.requireSameKind("x", x, weight);
    return torch.linear(x, weight, optionalBias);
  }

  /**
   * Only the outputs {@code from} to {@code from + count}: a smaller product with a part of the
   * weight.
   */
  Tensor applyRows(Tensor x, long from, long count) {
    return torch.addmm(bias.narrow(0, from, count), x, weight.narrow(0, from, count).t());
  }
}
