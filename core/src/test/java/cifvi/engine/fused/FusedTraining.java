package cifvi.engine.fused;

import cifvi.distribution.Observation;
import cifvi.engine.fused.FusedModels.Case;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.util.OptionalDouble;

/** Trains one of three models by the fused engine and gives its parameters to all. */
record FusedTraining(Three models, FusedEngine engine, Observation x) implements AutoCloseable {
  static final long SEED = 3;

  static FusedTraining of(Three models, Case shape) {
    var engine =
        new FusedEngine(
            models.own(), new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), SEED, 1));
    return new FusedTraining(models, engine, shape.x(Three.FLOAT32, 100));
  }

  void run(int from, int to) {
    for (int i = from; i < to; i++) {
      engine.step(i, 5e-3, x);
    }
    models.share(models.own());
  }

  @Override
  public void close() {
    engine.close();
  }
}
