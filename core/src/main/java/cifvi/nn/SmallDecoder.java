package cifvi.nn;

import org.bytedeco.pytorch.Tensor;

/**
 * The small decoder: linear, tanh, transposed convolution 4x4 with stride 2 to the logits of 28 x
 * 28 pixels.
 */
public final class SmallDecoder implements Network {
  private final int channels;
  private final Linear fc;
  private final Conv convt;

  public SmallDecoder(Parameters parameters, int features, int channels) {
    this.channels = channels;
    fc = new Linear(parameters.in("fc"), features, (long) channels * Images.HALF * Images.HALF);
    convt =
        Conv.transposed(
            parameters.in("convt"), channels, 1, Images.KERNEL, Images.STRIDE, Images.PADDING, 0);
  }

  /** {@code [batch, features]} to logits {@code [batch, 1, 28, 28]}. */
  @Override
  public Tensor apply(Tensor z) {
    return convt.apply(hidden(z).view(-1, channels, Images.HALF, Images.HALF));
  }

  /** The linear map. */
  public Linear fc() {
    return fc;
  }

  /** Of the transposed convolution, {@code [channels, 1, 4, 4]}. */
  public Tensor weight() {
    return convt.weight();
  }

  /** Of the transposed convolution. */
  public Tensor bias() {
    return convt.bias();
  }

  /** After the linear map and its tanh, {@code [batch, channels * 196]}. */
  public Tensor hidden(Tensor z) {
    return fc.apply(z).tanh();
  }
}
