package cifvi.engine.fused;

import cifvi.engine.fused.FusedModels.Case;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import java.util.stream.Stream;

/**
 * A model in eager float32, in eager float64 and for the kernels under test, with the same
 * parameters, float32 numbers.
 */
public record Three(Model eager32, Model eager64, Model own) implements AutoCloseable {
  public static final Backend FLOAT32 = Backend.cpu(Precision.FLOAT32);
  public static final Backend FLOAT64 = Backend.cpu(Precision.FLOAT64);

  public static Three of(Case shape, Backend own, long seed) {
    var models =
        new Three(shape.build(FLOAT32, seed), shape.build(FLOAT64, seed), shape.build(own, seed));
    models.share(models.eager32);
    return models;
  }

  /** Gives the others the parameters of one. */
  public void share(Model from) {
    var state = from.parameters().state();
    Stream.of(eager32, eager64, own)
        .filter(model -> !model.equals(from))
        .forEach(model -> model.parameters().load(state));
  }

  @Override
  public void close() {
    eager32.close();
    eager64.close();
    own.close();
  }
}
