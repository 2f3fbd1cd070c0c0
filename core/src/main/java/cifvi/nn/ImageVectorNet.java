package cifvi.nn;

import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * The network of r(u|w, x): joins a vector w with an image x.
 *
 * <p>w becomes a 7 x 7 picture by a linear map, is enlarged to 28 x 28 bilinearly and laid over x
 * as a first channel; a {@link ConvEncoder} looks at both.
 */
public final class ImageVectorNet {
  /** Side of the small picture. */
  public static final int SMALL = 7;

  private static final long[] FULL = {Images.SIDE, Images.SIDE};

  private final int features;
  private final Linear fcLatent;
  private final ConvEncoder convnet;
  private final @Nullable Tensor enlargement;

  public ImageVectorNet(Parameters parameters, int features, int channels, int outputs) {
    this.features = features;
    fcLatent = new Linear(parameters.in("fc_latent"), features, SMALL * SMALL);
    convnet = new ConvEncoder(parameters.in("convnet"), 2, channels, outputs);
    enlargement = parameters.backend().cuda() ? parameters.own(enlargement(parameters)) : null;
  }

  /**
   * The enlargement as a matrix {@code [49, 784]}: on a GPU libtorch adds up the gradient of its
   * own in an order that changes from run to run, and with it the last bits.
   */
  private static Tensor enlargement(Parameters parameters) {
    Tensor pictures = torch.eye(SMALL * SMALL, parameters.backend().options());
    return enlarge(pictures).view(SMALL * SMALL, Images.PIXELS);
  }

  /** From w to the small picture. */
  public Linear fcLatent() {
    return fcLatent;
  }

  /** What looks at the enlarged picture and at x. */
  public ConvEncoder convnet() {
    return convnet;
  }

  /** w {@code [batch, features]} and x {@code [batch, 1, 28, 28]} to {@code [batch, outputs]}. */
  public Tensor apply(Tensor w, Tensor x) {
    Shapes.require("w", w, Shapes.BATCH, features);
    Shapes.require("x", x, w.size(0), 1, Images.SIDE, Images.SIDE);
    return convnet.apply(torch.cat(new TensorVector(upsampled(latent(w)), x), 1));
  }

  /** The 49 numbers of the small picture. */
  public Tensor latent(Tensor w) {
    return fcLatent.apply(w);
  }

  /** The small picture, enlarged to {@code [batch, 1, 28, 28]}. */
  public Tensor upsampled(Tensor latent) {
    return enlargement == null
        ? enlarge(latent)
        : latent.mm(enlargement).view(-1, 1, Images.SIDE, Images.SIDE);
  }

  private static Tensor enlarge(Tensor latent) {
    return torch.upsample_bilinear2d(latent.view(-1, 1, SMALL, SMALL), FULL, false);
  }
}
