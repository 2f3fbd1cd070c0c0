package cifvi.nn;

import org.bytedeco.pytorch.Tensor;

/**
 * A network whose outputs for feature i depend on the inputs before i alone.
 *
 * <p>Shapes: input {@code [batch, features]}; output {@code [batch, features, outputs per
 * feature]}.
 */
public interface AutoregressiveNet {
  int features();

  /** Outputs for all features. */
  Tensor apply(Tensor w);

  /**
   * Outputs for feature {@code i} alone, {@code [batch, outputs per feature]}: what one pass of an
   * inverse needs.
   */
  Tensor apply(Tensor w, int i);
}
