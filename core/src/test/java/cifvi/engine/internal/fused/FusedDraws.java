package cifvi.engine.internal.fused;

import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static cifvi.engine.internal.parity.Twins.FLOAT64;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.parity.Conditioning;
import cifvi.engine.internal.parity.Draws;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Objective;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;

/**
 * The exact log-weights of a model, forward and inverse, by which those of the fused engine are
 * judged.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FusedDraws(
    Twins twins, Case shape, int rows, double[] z, Conditioning forward, Conditioning backward) {
  private static final int COPIES = 3;

  static FusedDraws of(Twins twins, Case shape, int rows) {
    Observation x = shape.x(FLOAT64, rows);
    double[] z = Draws.z(twins.exact(), x, rng(FLOAT64));
    var forward = new Conditioning();
    forward.add(twins.exact(), rng(FLOAT64), Draws.eager(x, COPIES));
    var backward = new Conditioning();
    backward.add(twins.exact(), rng(FLOAT64), Draws.eagerBackward(z, x, COPIES));
    return new FusedDraws(twins, shape, rows, z, forward, backward);
  }

  /** Of z, Δ, log p and the log-weights of paths back, by a schedule made by {@code change}. */
  SequencedMap<String, Double> scores(int threads, UnaryOperator<KernelSchedule> change) {
    var own = twins.own();
    var x = shape.x(FLOAT32, rows);
    var schedule = change.apply(Compiler.compile(Compiler.plan(own, new Objective.Elbo()), false));
    try (var fused = new FusedLogWeights(own, schedule, threads)) {
      var draws = Draws.of(fused.draw(x, COPIES, rng(FLOAT32)));
      var paths = Draws.ofBackward(fused.backward(z, x, COPIES, rng(FLOAT32)));
      var scores = forward.scores(List.of(draws), _ -> false);
      scores.putAll(backward.scores(List.of(paths), _ -> false));
      return scores;
    }
  }

  private static CounterRng rng(Backend backend) {
    return new CounterRng(backend, 3, Purpose.EVALUATE).step(4).fromRow(13);
  }
}
