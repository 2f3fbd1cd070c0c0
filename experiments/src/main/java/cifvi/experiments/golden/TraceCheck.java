package cifvi.experiments.golden;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.tensor.Backend;
import cifvi.vi.Objective;
import cifvi.vi.Schedule;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import tools.jackson.databind.JsonNode;

/** Files that record training steps: loss, gradient norm and all parameters after each. */
final class TraceCheck {
  private static final Set<String> KEYS =
      Set.of("loss", "grad_norm_before_clip", "noise", "params_after");

  private TraceCheck() {}

  static void check(GoldenFile file, Comparison comparison) {
    List<JsonNode> steps = file.steps();
    try (var golden = GoldenModel.build(file)) {
      var noise = steps.stream().map(step -> noise(golden.backend(), step)).toList();
      var clip = OptionalDouble.of(file.config(5, "max_grad_norm"));
      var options = new StepOptions(clip, 0, 1); // the noise is the file's
      try (var engine =
          new EagerEngine(
              golden.model(), new Objective.Elbo(), options, step -> noise.get((int) step))) {
        var trainer = new Trainer(engine, Schedule.constant(file.config(1e-3, "lr")));
        Observation x = golden.observation(noise.getFirst().rows());
        for (int i = 0; i < steps.size(); i++) {
          String at = "steps " + i;
          expect(steps.get(i), at, comparison);
          var info = trainer.step(x);
          noise.get(i).requireAllUsed();
          comparison.value(at + " loss", -info.objective());
          comparison.value(at + " grad_norm_before_clip", info.gradientNorm());
          compareParameters(golden, at, comparison);
        }
      }
    }
  }

  private static ReplayRng noise(Backend backend, JsonNode step) {
    return new ReplayRng(backend, GoldenFile.tensors("noise", step.path("noise")));
  }

  private static void expect(JsonNode step, String at, Comparison comparison) {
    step.propertyStream()
        .map(Map.Entry::getKey)
        .filter(key -> !KEYS.contains(key))
        .findFirst()
        .ifPresent(
            key -> {
              throw new IllegalArgumentException("not understood: " + at + " " + key);
            });
    for (String key : List.of("loss", "grad_norm_before_clip")) {
      comparison.expectValue(at + " " + key, Numbers.read(key, step.path(key)));
    }
    comparison.expectValues(at, GoldenFile.tensors("params_after", step.path("params_after")));
  }

  private static void compareParameters(GoldenModel golden, String at, Comparison comparison) {
    var flat = golden.model().parameters().flat();
    for (String name : golden.params().keySet()) {
      Tensor value = flat.view(flat.values(), GoldenModel.ours(name));
      comparison.value(at + " " + name, Backend.doubles(value));
    }
  }
}
