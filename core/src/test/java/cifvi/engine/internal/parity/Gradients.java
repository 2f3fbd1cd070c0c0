package cifvi.engine.internal.parity;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.OptionalDouble;
import java.util.SequencedMap;

/** The gradient of a step, tensor by tensor, and its objective. */
public final class Gradients {
  private Gradients() {}

  /** By libtorch, at a learning rate of zero. */
  public static Computation eager(Objective objective, Observation x) {
    return (model, noise) -> {
      try (var engine =
          new EagerEngine(
              model, objective, new StepOptions(OptionalDouble.empty(), 1, 1), _ -> noise)) {
        return of(engine, model, 0, x);
      }
    };
  }

  /** By any engine. */
  public static SequencedMap<String, double[]> of(
      StepEngine engine, Model model, long step, Observation x) {
    double objective = engine.step(step, 0, x).objective();
    return of(model, Backend.doubles(model.parameters().flat().gradient()), objective);
  }

  public static SequencedMap<String, double[]> of(
      Model model, double[] gradient, double objective) {
    SequencedMap<String, double[]> numbers = new LinkedHashMap<>();
    model
        .parameters()
        .flat()
        .slices()
        .forEach(
            (name, slice) -> {
              int from = (int) slice.offset();
              numbers.put(name, Arrays.copyOfRange(gradient, from, from + (int) slice.count()));
            });
    numbers.put("objective", new double[] {objective});
    return numbers;
  }
}
