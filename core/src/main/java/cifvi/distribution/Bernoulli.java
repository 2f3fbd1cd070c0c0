package cifvi.distribution;

import cifvi.tensor.Rng;
import cifvi.tensor.Shapes;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * Independent coins with the given logits; the log-density sums over all axes but the first.
 *
 * @param logits {@code [batch, ...]}
 */
public record Bernoulli(Tensor logits) implements Distribution {
  private static final long NO_REDUCTION = 0;

  @Override
  public Draw sample(Rng rng) {
    long batch = logits.size(0);
    Tensor u = rng.uniform(batch, logits.numel() / batch).view(logits.shape());
    Tensor v = u.lt(logits.sigmoid()).to(logits.scalar_type());
    return new Draw(v, logDensity(v));
  }

  @Override
  public Tensor logDensity(Tensor v) {
    long[] shape = logits.shape();
    shape[0] = Shapes.batchOf(logits);
    Shapes.require("v", v, shape);
    Tensor terms =
        torch.binary_cross_entropy_with_logits(
            logits, v, new TensorOptional(), new TensorOptional(), NO_REDUCTION);
    return terms.flatten(1, -1).sum(1).neg();
  }
}
