package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.cuda.Recorder;
import cifvi.engine.internal.fused.FusedModels.Host;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.tensor.Backend;
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
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A step that asks the host for a number cannot be captured: it is launched anew every time. */
@ExtendWith(NativeScope.class)
class UncapturableTest {
  private static final Objective ELBO = new Objective.Elbo();
  private static final StepOptions OPTIONS = new StepOptions(OptionalDouble.of(5), 1, 1);
  private static final String DONE = "same bits";

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
  void aStepThatCannotBeCapturedHasTheSameBits() {
    Launcher launcher = HostKernels.of(Precision.FLOAT64);
    Recorder refusing =
        work -> {
          work.run();
          throw new IllegalStateException("cannot be captured");
        };
    assertSameBits(
        Backend.cpu(Precision.FLOAT64),
        (model, body) -> new GraphEngine(model, OPTIONS, body, launcher, HostRecording::of),
        (model, body) -> new GraphEngine(model, OPTIONS, body, launcher, refusing));
  }

  @Tag("gpu")
  @Test
  void aStepWhoseCaptureBreaksHasTheSameBits() throws IOException, InterruptedException {
    assertThat(OwnProcess.output(OwnProcess.of(UncapturableTest.class))).endsWith(DONE);
  }

  @Test
  void aDensityInJavaHasKernelsAroundIt() {
    var launcher = HostKernels.of(Precision.FLOAT32);
    assertKernelsAround(
        Backend.cpu(Precision.FLOAT32),
        model -> {
          var body = new KernelBody(model, ELBO, HostKernels.program());
          return new GraphEngine(model, OPTIONS, body, launcher, HostRecording::of);
        });
  }

  @Tag("gpu")
  @Test
  void aDensityInJavaHasKernelsAroundItOnAGpu() {
    assertKernelsAround(
        Backend.of("cuda", Precision.FLOAT32), model -> Cuda.engine(model, ELBO, OPTIONS));
  }

  /** Steps go where eager ones in float64 go, and each is reported before the next. */
  private static void assertKernelsAround(Backend backend, Function<Model, StepEngine> engine) {
    var x = Observation.none(50);
    try (Model model = Host.CIF.build(backend);
        Model exact = Host.CIF.build(Backend.cpu(Precision.FLOAT64));
        var eager = EagerEngine.seeded(exact, ELBO, OPTIONS);
        var live = engine.apply(model)) {
      var infos = new ArrayList<StepInfo>();
      for (int i = 0; i < 5; i++) {
        live.submit(i, 1e-3, x, infos::add);
        StepInfo expected = eager.step(i, 1e-3, x);
        assertThat(infos).hasSize(i + 1);
        assertThat(infos.getLast().objective()).isCloseTo(expected.objective(), within(1e-4));
        assertThat(infos.getLast().gradientNorm())
            .isCloseTo(expected.gradientNorm(), withinPercentage(0.1));
      }
      live.finish();
    }
  }

  /**
   * A capture of libtorch's that goes wrong, which its allocator remembers as long as the process
   * lives: not for that of other tests.
   */
  public static void main(String[] args) {
    Torch.load();
    try (var _ = new PointerScope()) {
      assertSameBits(
          Backend.of("cuda", Precision.FLOAT64),
          (model, body) -> Cuda.engine(model, OPTIONS, body),
          (model, body) -> Cuda.engine(model, OPTIONS, new Curious(body)));
    }
    System.out.print(DONE);
  }

  private static void assertSameBits(
      Backend backend,
      BiFunction<Model, StepBody, StepEngine> captured,
      BiFunction<Model, StepBody, StepEngine> uncaptured) {
    var x = Observation.none(50);
    try (Model model = Shape.mog(true, 9).build(backend);
        Model same = Shape.mog(true, 9).build(backend);
        var expected = captured.apply(same, new StepBody.Autograd(same, ELBO));
        var live = uncaptured.apply(model, new StepBody.Autograd(model, ELBO))) {
      var infos = new ArrayList<StepInfo>();
      for (int i = 0; i < 5; i++) {
        live.submit(i, 1e-3, x, infos::add);
        assertThat(infos).last().isEqualTo(expected.step(i, 1e-3, x));
      }
      live.finish();
      assertThat(Backend.doubles(model.parameters().flat().values()))
          .isEqualTo(Backend.doubles(same.parameters().flat().values()));
      assertThat(live.optimiser().starts()).isEqualTo(expected.optimiser().starts());
    }
  }
}
