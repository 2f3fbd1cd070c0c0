package cifvi.engine.internal.parity;

import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.util.OptionalDouble;

/**
 * A model in eager float64 and for the kernels under test, with the same parameters, float32
 * numbers. It is trained in float64 and rounded, since a model that libtorch's float32 trained
 * would be another one on every processor.
 */
public record Twins(Model exact, Model own) implements AutoCloseable {
  public static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  public static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);

  private static final int ROWS = 50;
  private static final long SEED = 3;

  /** At initialisation. */
  public static Twins of(Case shape, Backend own, long seed) {
    var twins = new Twins(shape.build(FLOAT64, seed), shape.build(own, seed));
    twins.round();
    return twins;
  }

  /** After some steps of training. */
  public static Twins trained(Case shape, Backend own, int steps) {
    var twins = of(shape, own, 5);
    var x = shape.x(FLOAT64, ROWS);
    try (var engine =
        EagerEngine.seeded(
            twins.exact, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), SEED, 1))) {
      for (int i = 0; i < steps; i++) {
        engine.step(i, 5e-3, x);
      }
    }
    twins.round();
    return twins;
  }

  /** Gives both the parameters of the exact model, rounded to float32. */
  private void round() {
    own.parameters().load(exact.parameters().state());
    exact.parameters().load(own.parameters().state());
  }

  @Override
  public void close() {
    exact.close();
    own.close();
  }
}
