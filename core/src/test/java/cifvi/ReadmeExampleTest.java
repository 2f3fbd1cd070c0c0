package cifvi;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.SplineAutoregressive;
import cifvi.bijection.SplineAutoregressive.Options;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.engine.EagerEngine;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.target.Target;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.vi.MarginalElbo;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import cifvi.vi.Schedule;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import java.util.ArrayList;
import java.util.OptionalDouble;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

/**
 * The README's example is a program that works: the banana is normalised, so its best bound is 0.
 */
class ReadmeExampleTest {
  private static Tensor logNormal(Tensor v) {
    return v.square().mul(Scalars.of(-0.5)).sub(Scalars.of(0.5 * Math.log(2 * Math.PI)));
  }

  @Test
  void fitsABanana() {
    var backend = Backend.cpu(Precision.FLOAT32);
    var parameters = new Parameters(backend, 1);
    var layers = new ArrayList<Layer>();
    for (int i = 0; i < 4; i++) {
      var here = parameters.in("layers").in(Integer.toString(i));
      var g = Chain.of(new SplineAutoregressive(here, 2, Options.paper(32)), new Flip());
      layers.add(CifLayer.gaussian(here, g, 2, 1, 10, 10));
    }
    Target banana =
        (x, z) ->
            logNormal(z.select(1, 0)).add(logNormal(z.select(1, 1).sub(z.select(1, 0).square())));
    var posterior = new Posterior(NormalBase.create(parameters.in("base"), 2, 1.0, true), layers);
    var model = new Model(posterior, banana, parameters);
    var options = new StepOptions(OptionalDouble.of(5), 1, 1);
    try (model;
        var engine = EagerEngine.seeded(model, new Objective.Elbo(), options);
        var _ = new PointerScope()) {
      new Trainer(engine, Schedule.cosine(3e-3, 500)).run(500, Observation.none(500), _ -> true);
      var rng = new CounterRng(backend, 1, Purpose.SAMPLE);
      double[] draws = Backend.doubles(posterior.sample(Observation.none(1000), rng).z());
      var bracket =
          new MarginalElbo(model, 8_000, Progress.SILENT)
              .estimate(
                  Observation.none(1000), 50, rng, new CounterRng(backend, 1, Purpose.MARGINAL));
      assertThat(draws).hasSize(2000);
      assertThat(bracket.lower().mean()).isBetween(-0.2, 0.05);
      assertThat(bracket.upper().mean()).isGreaterThanOrEqualTo(bracket.auxiliary().mean());
    }
  }
}
