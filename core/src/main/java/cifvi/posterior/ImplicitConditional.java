package cifvi.posterior;

import cifvi.distribution.Conditional;
import cifvi.distribution.Distribution;
import cifvi.distribution.Draw;
import cifvi.distribution.Observation;
import cifvi.tensor.Rng;
import org.bytedeco.pytorch.Tensor;

/**
 * q(u|w) as the margin of a posterior with indices v of its own: a CIF as the inference model of a
 * CIF density (the end of section 3.3).
 *
 * <p>In place of log q(u|w), which nobody knows, a draw comes with log q(u, v|w) - log r(v|u, w),
 * whose mean is larger: what a layer makes of it is a lower bound still (eq. 2). It can be drawn
 * from, and no more.
 *
 * @param posterior of u, to which w is the observation
 * @param firstStream of the noise of its layers, beyond that of all layers around it
 */
public record ImplicitConditional(Posterior posterior, int firstStream) implements Conditional {
  @Override
  public Distribution given(Tensor w, Observation x) {
    return new Distribution() {
      @Override
      public Draw sample(Rng rng) {
        Posterior.Sample draw = posterior.sample(Observation.of(w), rng.beyond(firstStream));
        return new Draw(draw.z(), draw.delta().neg());
      }

      @Override
      public Tensor logDensity(Tensor u) {
        throw new UnsupportedOperationException(
            "q(u|w): the density of a given u is not known where q is a CIF; estimates that go"
                + " backwards need a q that is normal");
      }
    };
  }
}
