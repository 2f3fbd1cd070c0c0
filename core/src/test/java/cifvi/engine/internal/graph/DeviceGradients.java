package cifvi.engine.internal.graph;

import static cifvi.engine.internal.graph.DeviceCases.SEED;
import static cifvi.engine.internal.parity.Twins.FLOAT64;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.parity.Conditioning;
import cifvi.engine.internal.parity.Gradients;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;

/** The exact gradients of a model, by which those of CUDA kernels are judged. */
record DeviceGradients(
    Twins twins, Case shape, Objective objective, int rows, Conditioning conditioning) {
  private static final int DRAWS = 3;

  static DeviceGradients of(Twins twins, Case shape, Objective objective, int rows) {
    var conditioning = new Conditioning();
    var rng = new CounterRng(FLOAT64, SEED, Purpose.TRAIN);
    var eager = Gradients.eager(objective, shape.x(FLOAT64, rows));
    for (int step = 0; step < DRAWS; step++) {
      conditioning.add(twins.exact(), rng.step(step), eager);
    }
    return new DeviceGradients(twins, shape, objective, rows, conditioning);
  }

  /** Of every tensor and of the objective, by kernels of this launcher. */
  SequencedMap<String, Double> scores(Launcher launcher) {
    var own = twins.own();
    var x = shape.x(own.parameters().backend(), rows);
    List<SequencedMap<String, double[]>> actual =
        IntStream.range(0, DRAWS).mapToObj(i -> step(own, objective, i, x, launcher)).toList();
    return conditioning.scores(actual, this::segments);
  }

  /** Whether the parameter is one of a segment. */
  private boolean segments(String name) {
    return name.startsWith("own.") || (shape instanceof OwnNetworks && name.contains(".r."));
  }

  /** One step by kernels. */
  static SequencedMap<String, double[]> step(
      Model model, Objective objective, long step, Observation x, Launcher launcher) {
    var flat = model.parameters().flat();
    var rng = new CounterRng(model.parameters().backend(), SEED, Purpose.TRAIN).step(step);
    try (var pass = DevicePass.training(model, launcher, (int) x.rows(), objective);
        var _ = new PointerScope()) {
      flat.gradient().zero_();
      pass.step(x, rng);
      double value = Backend.doubles(pass.objective())[0];
      return Gradients.of(model, Backend.doubles(flat.gradient()), value);
    }
  }
}
