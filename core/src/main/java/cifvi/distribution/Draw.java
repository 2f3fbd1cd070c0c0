package cifvi.distribution;

import org.bytedeco.pytorch.Tensor;

/**
 * A draw and its log-density.
 *
 * @param value {@code [batch, d]}
 * @param logDensity {@code [batch]}
 */
public record Draw(Tensor value, Tensor logDensity) {}
