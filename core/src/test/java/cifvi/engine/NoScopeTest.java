package cifvi.engine;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.bijection.Permutation;
import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Safetensors;
import cifvi.vi.ForwardWeights;
import cifvi.vi.FreeScale;
import cifvi.vi.LogWeights;
import cifvi.vi.MarginalElbo;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import cifvi.vi.WeightAverage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Methods that give Java values leave no native memory behind, whether or not there is a scope. */
class NoScopeTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT32);
  private static final Observation X = Observation.none(20);
  private static final int CALLS = 20;

  @TempDir Path folder;

  private final Map<String, Runnable> calls = new LinkedHashMap<>();

  @Test
  void nothingIsLeftBehind() {
    assertThat(PointerScope.getInnerScope()).isNull();
    try (Model model = Shape.of(5, 4, true).build(BACKEND, 1);
        Model normed = new Affine(5, 20, true).build(BACKEND, 1);
        var average = new WeightAverage(model.parameters());
        Tensor reals = BACKEND.zeros(3);
        var order = new Parameters(BACKEND, 1)) {
      var permutation = Permutation.random(order, 7);
      Map<String, Tensor> state = model.parameters().state();
      calls.put("Backend.doubles", () -> Backend.doubles(reals));
      calls.put("Backend.longs", () -> Backend.longs(reals));
      calls.put("Permutation.order", permutation::order);
      calls.put("Parameters.load", () -> model.parameters().load(state));
      calls.put("WeightAverage.add", () -> average.add(3));
      calls.put("WeightAverage.restart", average::restart);
      calls.put("WeightAverage.apply", average::apply);
      calls.put("FreeScale.divideOut", () -> FreeScale.divideOut(normed));
      calls.put("FreeScale.largestVariance", () -> FreeScale.largestVariance(normed));
      calls.put("Model.requireGradient", () -> model.requireGradient(X));
      calls.put("Safetensors.checksum", () -> Safetensors.checksum(state, Map.of()));
      calls.put("Safetensors.write", () -> write(state));
      estimators(model);
      try (var engines = new Closing()) {
        for (var kind : List.of(Engines.Kind.EAGER, Engines.Kind.FUSED)) {
          engines(kind, model, engines);
          engines(kind, normed, engines);
        }
        assertThat(leaking()).isEmpty();
      }
    }
  }

  private static final class Closing implements AutoCloseable {
    final List<StepEngine> engines = new ArrayList<>();
    final List<LogWeights> weights = new ArrayList<>();

    @Override
    public void close() {
      engines.forEach(StepEngine::close);
      weights.forEach(LogWeights::close);
    }
  }

  private void estimators(Model model) {
    var forward = new ForwardWeights(model, 10, Progress.SILENT);
    var marginal = new MarginalElbo(model, 10, Progress.SILENT);
    var rng = new CounterRng(BACKEND, 1, Purpose.EVALUATE);
    calls.put("auxiliaryElbo", () -> forward.auxiliaryElbo(X, 2, rng));
    calls.put("logLikelihood", () -> forward.logLikelihood(X, 2, rng));
    calls.put("MarginalElbo.estimate", () -> marginal.estimate(X, 2, rng, rng));
  }

  private void engines(Engines.Kind kind, Model model, Closing closing) {
    String name = kind + " " + (model.parameters().stepChangesBuffers() ? "batch norm" : "splines");
    var options = new StepOptions(OptionalDouble.of(5), 1, 1);
    var engine = Engines.start(kind, model, new Objective.Elbo(), options);
    var weights = Engines.logWeights(kind, model, 1);
    closing.engines.add(engine);
    closing.weights.add(weights);
    var rng = new CounterRng(BACKEND, 1, Purpose.EVALUATE);
    double[] z = weights.draw(X, 1, rng).z();
    calls.put(name + " step", () -> engine.step(0, 1e-3, X));
    calls.put(name + " draw", () -> weights.draw(X, 2, rng));
    calls.put(name + " backward", () -> weights.backward(z, X, 2, rng));
  }

  private void write(Map<String, Tensor> state) {
    try {
      Safetensors.write(folder.resolve("state"), state, Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The calls after which there are more pointers than before. */
  private List<String> leaking() {
    List<String> leaking = new ArrayList<>();
    calls.forEach(
        (name, call) -> {
          call.run(); // constants and the like are made once
          long before = Pointer.totalCount();
          for (int i = 0; i < CALLS; i++) {
            call.run();
          }
          long left = Pointer.totalCount() - before;
          if (left > 0) {
            leaking.add(name + ": " + left);
          }
        });
    return leaking;
  }
}
