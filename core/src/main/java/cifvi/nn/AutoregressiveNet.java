package cifvi.nn;

import org.bytedeco.pytorch.Tensor;

/**
 * A network whose outputs for feature i depend on the inputs before i alone, or on those of them
 * that its {@link Conditioner} lets through.
 *
 * <p>Shapes: input {@code [batch, features]}; output {@code [batch, features, outputs per
 * feature]}.
 */
public interface AutoregressiveNet {
  int features();

  Conditioner conditioner();

  /** Outputs for all features. */
  Tensor apply(Tensor w);

  /**
   * Outputs for the features {@code from} to {@code to - 1} alone: what one pass of an inverse
   * needs.
   */
  Tensor apply(Tensor w, int from, int to);
}
