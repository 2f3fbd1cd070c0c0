package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.cuda.Recorder;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.graph.kernel.DeviceRng;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Rng;
import cifvi.tensor.Torch;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A step that asks the host for a number cannot be captured: it runs eagerly instead. */
@ExtendWith(NativeScope.class)
class UncapturableTest {
  private static final Objective ELBO = new Objective.Elbo();
  private static final StepOptions OPTIONS = new StepOptions(OptionalDouble.of(5), 1, 1);
  private static final String DONE = "ran eagerly";

  /** Looks at the objective on its way. */
  private record Curious(StepBody body) implements StepBody {
    @Override
    public Tensor run(Observation x, Rng rng) {
      Tensor objective = body.run(x, rng);
      assertThat(objective.item_double()).isFinite();
      return objective;
    }

    @Override
    public String name() {
      return "curious";
    }
  }

  @Test
  void runsEagerlyFromTheSameState() {
    var backend = Backend.cpu(Precision.FLOAT64);
    Launcher launcher = HostKernels.of(Precision.FLOAT64);
    var noise = new CounterRng(backend, 1, Purpose.TRAIN);
    Recorder refusing =
        work -> {
          work.run();
          throw new IllegalStateException("cannot be captured");
        };
    assertRunsEagerly(
        backend,
        step -> new DeviceRng(launcher, noise.step(step)),
        model ->
            new GraphEngine(
                model, ELBO, OPTIONS, new StepBody.Autograd(model, ELBO), launcher, refusing));
  }

  @Tag("gpu")
  @Test
  void aBrokenCaptureRunsEagerlyFromTheSameState() throws IOException, InterruptedException {
    assertThat(OwnProcess.output(OwnProcess.of(UncapturableTest.class))).endsWith(DONE);
  }

  /**
   * A capture of libtorch's that goes wrong, which its allocator remembers as long as the process
   * lives: not for that of other tests.
   */
  public static void main(String[] args) {
    Torch.load();
    var backend = Backend.of("cuda", Precision.FLOAT64);
    try (var _ = new PointerScope()) {
      assertRunsEagerly(
          backend,
          Cuda.noise(backend, 1),
          model ->
              Cuda.engine(model, ELBO, OPTIONS, new Curious(new StepBody.Autograd(model, ELBO))));
    }
    System.out.print(DONE);
  }

  private static void assertRunsEagerly(
      Backend backend, LongFunction<Rng> noise, Function<Model, StepEngine> engine) {
    var x = Observation.none(50);
    try (Model model = Shape.mog(true, 9).build(backend);
        Model same = Shape.mog(true, 9).build(backend);
        var eager = new EagerEngine(same, ELBO, OPTIONS, noise);
        var graph = engine.apply(model)) {
      var infos = new ArrayList<StepInfo>();
      for (int i = 0; i < 5; i++) {
        graph.submit(i, 1e-3, x, infos::add);
        assertThat(infos).last().isEqualTo(eager.step(i, 1e-3, x));
      }
      graph.finish();
      assertThat(Backend.doubles(model.parameters().flat().values()))
          .isEqualTo(Backend.doubles(same.parameters().flat().values()));
      assertThat(graph.optimiser().starts()).isEqualTo(eager.optimiser().starts());
    }
  }
}
