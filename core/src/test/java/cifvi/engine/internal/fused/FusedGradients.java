package cifvi.engine.internal.fused;

import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static cifvi.engine.internal.parity.Twins.FLOAT64;

import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.parity.Conditioning;
import cifvi.engine.internal.parity.Gradients;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The exact gradients of a model, by which those of the fused engine are judged. */
record FusedGradients(
    Twins twins, Case shape, Objective objective, int rows, Conditioning conditioning) {
  private static final long SEED = 3;
  private static final int DRAWS = 3;

  static FusedGradients of(Twins twins, Case shape, Objective objective, int rows) {
    var conditioning = new Conditioning();
    var rng = new CounterRng(FLOAT64, SEED, Purpose.TRAIN);
    var eager = Gradients.eager(objective, shape.x(FLOAT64, rows));
    for (int step = 0; step < DRAWS; step++) {
      conditioning.add(twins.exact(), rng.step(step), eager);
    }
    return new FusedGradients(twins, shape, objective, rows, conditioning);
  }

  /** Of every tensor and of the objective, when a schedule made by {@code change} computes them. */
  SequencedMap<String, Double> scores(int threads, UnaryOperator<KernelSchedule> change) {
    var own = twins.own();
    var x = shape.x(FLOAT32, rows);
    var plan = Compiler.plan(own, objective);
    var schedule = change.apply(Compiler.compile(plan, true));
    var options = new StepOptions(OptionalDouble.empty(), SEED, threads);
    try (var engine = new FusedEngine(own, schedule, plan.bound(), options)) {
      List<SequencedMap<String, double[]>> actual =
          IntStream.range(0, DRAWS).mapToObj(i -> Gradients.of(engine, own, i, x)).toList();
      return conditioning.scores(actual, this::segments);
    }
  }

  /** Whether the parameter is one of a segment. */
  private boolean segments(String name) {
    return shape instanceof ImageShape image
        && image.channels() % 4 != 0
        && (name.startsWith("decoder.") || name.contains(".r."));
  }
}
