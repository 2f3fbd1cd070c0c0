package cifvi.vi;

import cifvi.distribution.Observation;
import cifvi.posterior.Posterior;
import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/** The oracle: {@link Posterior#sample} and {@link Posterior#logWeight}. */
record EagerLogWeights(Model model) implements LogWeights {
  @Override
  public Draws draw(Observation x, long times, Rng rng) {
    model.parameters().training(false);
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      Observation repeated = x.repeat(times);
      Posterior.Sample draw = model.posterior().sample(repeated, rng);
      return new Draws(
          Backend.doubles(draw.z()),
          Backend.doubles(draw.delta()),
          Backend.doubles(model.logJoint(repeated, draw.z())));
    }
  }

  @Override
  public double[] backward(double[] z, Observation x, long paths, Rng rng) {
    model.parameters().training(false);
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      Tensor rows = model.parameters().backend().tensor(z, x.rows(), z.length / x.rows());
      Tensor repeated = rows.repeat_interleave(paths, new LongOptional(0), new LongOptional());
      return Backend.doubles(model.posterior().logWeight(repeated, x.repeat(paths), rng));
    }
  }

  @Override
  public boolean explicit() {
    return model.posterior().explicit();
  }
}
