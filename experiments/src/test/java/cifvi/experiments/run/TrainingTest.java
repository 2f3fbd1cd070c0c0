package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Safetensors;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Optimiser;
import cifvi.vi.Schedule;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import cifvi.vi.WeightAverage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics and checkpoints of an engine that reports its steps seven at a time. */
class TrainingTest {
  private static final MogSpec SPEC =
      new MogSpec(
          MogSpec.KIND,
          MogSpec.Flow.NSF,
          9,
          Sigma0.parse("1"),
          3,
          Placement.PAPER,
          40,
          20,
          1e-3,
          LrSchedule.CONSTANT,
          Average.EMA,
          5,
          null,
          null,
          MogModel.R.NORMAL,
          NamedObjective.ELBO,
          null,
          7,
          1,
          Precision.FLOAT64,
          "eager",
          "cpu",
          false);

  @TempDir Path folder;

  @Test
  void aStoppedRunHasALineForEveryStepAndGoesOnTheSame() throws IOException {
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    try (var directory = RunDirectory.create(whole, SPEC)) {
      assertThat(train(directory, RunListener.SILENT)).isTrue();
      assertLines(directory, 40);
    }
    try (var directory = RunDirectory.create(parts, SPEC)) {
      var told = new ArrayList<Long>();
      boolean ended = train(directory, stopAfter(9, told));
      assertThat(ended).isFalse();
      assertThat(told).hasSize(14).last().isEqualTo(14L);
      assertLines(directory, 14);
      assertThat(metadata(parts, "step")).isEqualTo("14");
      assertThat(train(directory, RunListener.SILENT)).isTrue();
      assertLines(directory, 40);
    }
    assertThat(metadata(parts, "crc32c")).isEqualTo(metadata(whole, "crc32c"));
  }

  private static RunListener stopAfter(long steps, List<Long> told) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        told.add(done);
        return done != steps;
      }
    };
  }

  private static boolean train(RunDirectory directory, RunListener listener) {
    var checkpoints = Checkpoints.of(directory, SPEC);
    try (var _ = new PointerScope();
        Model model = SPEC.mogModel().build(Backend.cpu(Precision.FLOAT64), SPEC.seed());
        var engine = new Late(model);
        var average = new WeightAverage(model.parameters())) {
      var trainer = new Trainer(engine, Schedule.constant(1e-3));
      var state =
          new Checkpoints.State(
              null, model.parameters(), engine.optimiser(), trainer, average, null);
      checkpoints.restore(state, Logged.of(directory, 0), _ -> {});
      try (var training = new Training(directory, checkpoints, state, listener)) {
        return training.run(SPEC.steps(), SPEC.steps(), _ -> Observation.none(20), _ -> {});
      }
    }
  }

  private static void assertLines(RunDirectory directory, int count) {
    var rows = StepRow.read(directory);
    assertThat(rows).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(rows.get(i).step()).isEqualTo(i);
      assertThat(rows.get(i).ms()).isPositive();
    }
  }

  private static String metadata(Path run, String key) throws IOException {
    try (var _ = new PointerScope()) {
      var file = Safetensors.read(run.resolve("checkpoints/latest.safetensors"));
      return String.valueOf(file.metadata().get(key));
    }
  }

  private static final class Late implements StepEngine {
    private final EagerEngine engine;
    private final List<Runnable> waiting = new ArrayList<>();

    Late(Model model) {
      engine =
          EagerEngine.seeded(
              model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 3, 1));
    }

    @Override
    public StepInfo step(long step, double learningRate, Observation x) {
      return engine.step(step, learningRate, x);
    }

    @Override
    public void submit(long step, double rate, Observation x, Consumer<StepInfo> report) {
      StepInfo info = step(step, rate, x);
      waiting.add(() -> report.accept(info));
      if (waiting.size() == 7) {
        finish();
      }
    }

    @Override
    public void finish() {
      waiting.forEach(Runnable::run);
      waiting.clear();
    }

    @Override
    public Optimiser optimiser() {
      return engine.optimiser();
    }

    @Override
    public String name() {
      return "late";
    }

    @Override
    public void close() {
      engine.close();
    }
  }
}
