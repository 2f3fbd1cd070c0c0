package cifvi.start.internal;

import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import org.jspecify.annotations.Nullable;

/** A density of v in a frame, however its author wrote it: what a stage of a fit is scored by. */
public interface Score extends AutoCloseable {
  double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  /** What a model is trained on. */
  Target target(Backend backend);

  /**
   * Lets the next steps be scored by p(v)^β N(v; 0, 1)^(1 - β), on the way from a normal to p that
   * separate modes are found on; 1 for p itself.
   */
  void temper(double beta);

  /** log p and its gradient at every row of v; -∞ where there is no answer. */
  void answers(double[] v, double[] logP, double @Nullable [] gradients);

  /** In which the density was called so far; NaN where libtorch runs it among other things. */
  double seconds();

  /** Of {@link #answers}. */
  Precision precision();

  @Override
  void close();
}
