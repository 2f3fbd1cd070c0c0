package cifvi.posterior;

import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * What one layer did.
 *
 * @param w the next w, {@code [batch, d]}
 * @param logWeight what the layer adds to the bound, {@code [batch]}
 * @param u the index that was drawn, {@code [batch, index]}; null where the layer has none
 */
public record Step(Tensor w, Tensor logWeight, @Nullable Tensor u) {}
