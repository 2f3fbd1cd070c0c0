package cifvi.nn;

import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;

/** The one-layer image network: convolution 4x4 with stride 2, tanh, linear (appendix E.2.4). */
public final class ConvEncoder implements Network {
  private final int inputs;
  private final Conv conv;
  private final Linear fc;

  /** An encoder of one-channel images. */
  public ConvEncoder(Parameters parameters, int channels, int outputs) {
    this(parameters, 1, channels, outputs);
  }

  ConvEncoder(Parameters parameters, int inputs, int channels, int outputs) {
    this.inputs = inputs;
    conv =
        Conv.plain(
            parameters.in("conv"), inputs, channels, Images.KERNEL, Images.STRIDE, Images.PADDING);
    fc = new Linear(parameters.in("fc"), (long) channels * Images.HALF * Images.HALF, outputs);
  }

  public int outputs() {
    return Math.toIntExact(fc.bias().size(0));
  }

  /** The weight of the convolution, {@code [channels, inputs, 4, 4]}. */
  public Tensor weight() {
    return conv.weight();
  }

  /** The bias of the convolution, {@code [channels]}. */
  public Tensor bias() {
    return conv.bias();
  }

  public Linear fc() {
    return fc;
  }

  /** {@code [batch, 1, 28, 28]} to {@code [batch, outputs]}. */
  @Override
  public Tensor apply(Tensor x) {
    return fc.apply(convolved(x).flatten(1, -1));
  }

  /** After the convolution and its tanh, {@code [batch, channels, 14, 14]}. */
  public Tensor convolved(Tensor x) {
    Shapes.require("x", x, Shapes.BATCH, inputs, Images.SIDE, Images.SIDE);
    return conv.apply(x).tanh();
  }
}
