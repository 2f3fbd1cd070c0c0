package cifvi.nn;

import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * A two-dimensional convolution, plain or transposed, with bias and square kernel.
 *
 * <p>Weights: {@code [out, in, k, k]}, transposed {@code [in, out, k, k]}. Entries start uniform on
 * ±1/√fan, where the fan is the second axis of the weight times k²: for a transposed convolution
 * that is the number of <i>output</i> channels, a quirk of PyTorch that the paper's results carry.
 */
public final class Conv {
  private static final long[] ONE = {1, 1};

  private final Tensor weight;
  private final Tensor bias;
  private final TensorOptional optionalBias;
  private final long[] stride;
  private final long[] padding;
  private final long[] outputPadding;
  private final boolean transposed;

  private Conv(
      Parameters parameters,
      long[] shape,
      long out,
      int stride,
      int padding,
      int outputPadding,
      boolean transposed) {
    double bound = 1 / Math.sqrt((double) shape[1] * shape[2] * shape[3]);
    this.weight = parameters.uniform("weight", bound, shape);
    this.bias = parameters.uniform("bias", bound, out);
    this.optionalBias = parameters.own(new TensorOptional(bias));
    this.stride = new long[] {stride, stride};
    this.padding = new long[] {padding, padding};
    this.outputPadding = new long[] {outputPadding, outputPadding};
    this.transposed = transposed;
  }

  static Conv plain(Parameters parameters, long in, long out, int kernel, int stride, int padding) {
    return new Conv(
        parameters, new long[] {out, in, kernel, kernel}, out, stride, padding, 0, false);
  }

  static Conv transposed(
      Parameters parameters,
      long in,
      long out,
      int kernel,
      int stride,
      int padding,
      int outputPadding) {
    return new Conv(
        parameters,
        new long[] {in, out, kernel, kernel},
        out,
        stride,
        padding,
        outputPadding,
        true);
  }

  public Tensor weight() {
    return weight;
  }

  public Tensor bias() {
    return bias;
  }

  public boolean transposed() {
    return transposed;
  }

  /** Of the kernel. */
  public int side() {
    return Math.toIntExact(weight.size(2));
  }

  /** The side of what it makes of pictures with this one. */
  public int side(int in) {
    long out =
        transposed
            ? (in - 1) * stride[0] - 2 * padding[0] + side() + outputPadding[0]
            : (in + 2 * padding[0] - side()) / stride[0] + 1;
    return Math.toIntExact(out);
  }

  /** {@code [batch, in, height, width]} to {@code [batch, out, height', width']}. */
  public Tensor apply(Tensor x) {
    Shapes.requireSameKind("x", x, weight);
    return transposed
        ? torch.conv_transpose2d(x, weight, optionalBias, stride, padding, outputPadding, 1, ONE)
        : torch.conv2d(x, weight, optionalBias, stride, padding, ONE, 1);
  }
}
