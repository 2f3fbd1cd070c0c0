package cifvi.engine.internal.graph;

import static cifvi.engine.internal.graph.DeviceCases.rng;
import static cifvi.engine.internal.parity.Twins.FLOAT64;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.parity.Conditioning;
import cifvi.engine.internal.parity.Draws;
import cifvi.engine.internal.parity.Twins;
import cifvi.tensor.Backend;
import cifvi.vi.LogWeights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;

/** The exact draws of a model, by which those of CUDA kernels are judged. */
record DeviceDraws(Twins twins, Case shape, int rows, Conditioning conditioning) {
  /** Rounding of fewer rows than that is a matter of luck: they are drawn more than once. */
  private static final int LEAST_ROWS = 10;

  static DeviceDraws of(Twins twins, Case shape, int rows) {
    var conditioning = new Conditioning();
    var eager = Draws.eager(shape.x(FLOAT64, rows), 1);
    for (int i = 0; i < draws(rows); i++) {
      conditioning.add(twins.exact(), rng(FLOAT64, i), eager);
    }
    return new DeviceDraws(twins, shape, rows, conditioning);
  }

  private static int draws(int rows) {
    return Math.ceilDiv(LEAST_ROWS, rows);
  }

  /** Of z, Δ and log p, by kernels of this launcher. */
  SequencedMap<String, Double> scores(Launcher launcher) {
    var own = twins.own();
    var backend = own.parameters().backend();
    List<SequencedMap<String, double[]>> actual = new ArrayList<>();
    try (var _ = new PointerScope();
        var pass = DevicePass.evaluating(own, launcher, rows);
        var _ = new NoGradGuard()) {
      for (int i = 0; i < draws(rows); i++) {
        pass.forward(shape.x(backend, rows), rng(backend, i));
        double[] joint = Backend.doubles(pass.logJoint());
        double[] delta = Backend.doubles(pass.logWeight());
        Arrays.setAll(delta, j -> delta[j] - joint[j]);
        actual.add(Draws.of(new LogWeights.Draws(Backend.doubles(pass.z()), delta, joint)));
      }
    }
    return conditioning.scores(actual, _ -> false);
  }
}
