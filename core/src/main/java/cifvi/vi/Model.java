package cifvi.vi;

import cifvi.nn.Parameters;
import cifvi.posterior.Posterior;
import cifvi.target.Target;

/** A posterior, the target it approximates, and the parameters of both. */
public record Model(Posterior posterior, Target target, Parameters parameters)
    implements AutoCloseable {
  @Override
  public void close() {
    parameters.close();
  }
}
