package cifvi.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Schedule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run in two stages: a flow, then another that starts from it. */
class StageTest {
  private static final long HALF = 4;
  private static final String SECOND = "second";

  @TempDir private Path folder;

  private record Result(long steps) implements RunResult {}

  private static final class TwoStages implements ModelExperiment<MogSpec, Result> {
    @Override
    public Class<MogSpec> specType() {
      return MogSpec.class;
    }

    @Override
    public Model build(MogSpec spec, Backend backend) {
      return spec.mogModel().build(backend, spec.seed());
    }

    @Override
    public Objective objective(MogSpec spec) {
      return new Objective.Elbo();
    }

    @Override
    public Optional<Result> result(RunDirectory directory, MogSpec spec) {
      return Optional.empty();
    }

    @Override
    public Optional<Result> train(Run<MogSpec> run, Model model) {
      var logged = Logged.of(run.directory(), 0);
      if (run.checkpoints().stage(logged, run.listener()::note).equals(Optional.of(SECOND))) {
        return second(run, Optional.empty());
      }
      try (Stage stage = run.stage(model, settings("first"))) {
        stage.restore(0);
        return stage.train(HALF, _ -> x(run)) ? second(run, Optional.of(stage)) : Optional.empty();
      }
    }

    private static Optional<Result> second(Run<MogSpec> run, Optional<Stage> first) {
      MogSpec spec = run.spec();
      try (Model model = spec.mogModel().build(spec.backend(), spec.seed() + 1);
          Stage stage = run.stage(model, settings(SECOND));
          var _ = new PointerScope()) {
        first.ifPresentOrElse(
            before -> {
              model.parameters().load(before.model().parameters().state());
              stage.begin(HALF);
            },
            () -> stage.restore(0));
        return stage.train(spec.steps(), _ -> x(run))
            ? Optional.of(new Result(stage.trainer().steps()))
            : Optional.empty();
      }
    }

    private static Observation x(Run<MogSpec> run) {
      return Observation.none(run.spec().samples());
    }

    private static Stage.Settings settings(String name) {
      return new Stage.Settings(
          name, Schedule.constant(1e-2), OptionalDouble.empty(), true, OptionalInt.empty());
    }
  }

  private static MogSpec spec() {
    return MogSpec.paper(
        MogSpec.Flow.NSF, Placement.PAPER, 9, Sigma0.parse("1"), 2 * HALF, /* seed= */ 3);
  }

  private static RunListener stopAfter(long steps) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < steps;
      }
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, HALF - 1, HALF + 1, 2 * HALF - 1})
  void aStoppedRunEndsWithTheSameBits(long steps) throws IOException {
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    var experiment = new TwoStages();
    assertThat(Run.start(experiment, spec(), whole, RunListener.SILENT))
        .contains(new Result(2 * HALF));
    assertThat(Run.start(experiment, spec(), parts, stopAfter(steps))).isEmpty();
    assertThat(Run.resume(experiment, parts, Continuation.PLAIN, RunListener.SILENT)).isPresent();
    assertThat(parts.resolve("checkpoints/latest.safetensors"))
        .hasSameBinaryContentAs(whole.resolve("checkpoints/latest.safetensors"));
    assertThat(parts.resolve("metrics.csv")).content().hasLineCount(1 + (int) (2 * HALF));
    assertThat(CheckpointFile.read(parts.resolve("checkpoints/latest.safetensors")).metadata())
        .containsEntry("stage", SECOND);
  }
}
