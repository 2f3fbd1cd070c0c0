package cifvi.vi;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Flip;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import java.util.OptionalDouble;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The scale of what a masked affine map gives to a batch norm: the bound does not depend on it,
 * since the batch norm divides it out again, so that nothing keeps training from letting it grow
 * until the variance of a batch is more than a number can hold.
 *
 * <p>{@link #divideOut} brings it back to one without changing the function: z = (w - μ) e^{-α} is
 * divided by c = √v, v being the running variance, by adding log c to the bias of α; the batch
 * norm's running mean and variance are divided by c and c². What is left is ε beside the variance.
 */
public final class FreeScale {
  private FreeScale() {}

  /** Divides the scale out wherever a masked affine map stands before a batch norm. */
  public static void divideOut(Model model) {
    @Nullable AffineAutoregressive before = null;
    boolean flipped = false;
    for (Layer layer : model.posterior().layers()) {
      Bijection g = layer instanceof FlowLayer(Bijection map) ? map : null;
      if (g instanceof Flip) {
        flipped = !flipped;
        continue;
      }
      if (g instanceof BatchNorm norm && before != null) {
        divideOut(before, norm, flipped, model);
      }
      before = g instanceof AffineAutoregressive affine ? affine : null;
      flipped = false;
    }
  }

  private static void divideOut(
      AffineAutoregressive map, BatchNorm norm, boolean flipped, Model model) {
    try (var _ = new PointerScope()) {
      Tensor scale = norm.runningVariance().sqrt();
      map.divideOutputBy(flipped ? scale.flip(-1) : scale, model.parameters().flat());
      norm.divideInputBy(scale);
    }
  }

  /** The largest running variance of all batch norms; empty where the model has none. */
  public static OptionalDouble largestVariance(Model model) {
    try (var _ = new PointerScope()) {
      return model.posterior().layers().stream()
          .filter(layer -> layer instanceof FlowLayer(BatchNorm _))
          .mapToDouble(
              layer -> ((BatchNorm) ((FlowLayer) layer).g()).runningVariance().max().item_double())
          .max();
    }
  }
}
