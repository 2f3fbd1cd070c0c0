package cifvi.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.distribution.Observation;
import cifvi.engine.eager.EagerEngine;
import cifvi.posterior.Posteriors;
import cifvi.posterior.Posteriors.Flow;
import cifvi.posterior.Posteriors.Kind;
import cifvi.posterior.Posteriors.Placement;
import cifvi.posterior.Posteriors.Size;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.testing.NativeScope;
import cifvi.vi.ForwardWeights;
import cifvi.vi.MarginalElbo;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import cifvi.vi.Schedule;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Native memory comes back when a step or a chunk ends, without help from the garbage collector.
 */
@ExtendWith(NativeScope.class)
class NativeMemoryTest {
  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT32);

  /** What the allocator may keep for itself once its pools are warm. */
  private static final long RESIDENT_GROWTH_MB = 20;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT32).filter(kind -> kind.placement() == Placement.PAPER);
  }

  static Stream<Kind> trained() {
    return kinds().filter(kind -> kind.amortised() == (kind.flow() == Flow.MAF));
  }

  @ParameterizedTest
  @MethodSource("trained")
  void trainingLeavesNoPointer(Kind kind) throws InterruptedException {
    try (var run = new Run(kind, new Size(2, 8), 4)) {
      assertNoLeak(() -> run.steps(10), () -> run.steps(500));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void evaluationLeavesNoPointer(Kind kind) throws InterruptedException {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, 8);
      assertNoLeak(() -> evaluate(model, x), () -> evaluate(model, x));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void stoppedEvaluationLeavesNoPointer(Kind kind) throws InterruptedException {
    try (Model model = Posteriors.cif(kind, 1)) {
      Observation x = Posteriors.observation(kind, 8);
      assertNoLeak(() -> evaluate(model, x), () -> stop(model, x));
    }
  }

  /** The step of paper section 4.1 with 100 samples. */
  @Test
  @Tag("slow")
  void residentMemoryStaysFlat() throws IOException {
    var kind = new Kind(Flow.NSF, Placement.PAPER, false, Precision.FLOAT32);
    try (var run = new Run(kind, Size.PAPER, 100)) {
      run.steps(2000);
      long warm = residentMegabytes();
      long start = System.nanoTime();
      run.steps(20_000);
      double milliseconds = (System.nanoTime() - start) / 1e6 / 20_000;
      long grown = residentMegabytes() - warm;
      System.out.printf(
          "resident memory: %d MB after 2,000 steps, %+d MB after 20,000 more; %.1f ms a step%n",
          warm, grown, milliseconds);
      assertThat(grown).isLessThan(RESIDENT_GROWTH_MB);
    }
  }

  /** Counts what {@code action} leaves behind; {@code warmUp} fills the caches of constants. */
  private static void assertNoLeak(Runnable warmUp, Runnable action) throws InterruptedException {
    warmUp.run();
    long count = settledCount();
    long bytes = Pointer.totalBytes();
    action.run();
    assertThat(Pointer.totalCount()).as("native pointers").isEqualTo(count);
    assertThat(Pointer.totalBytes()).as("native bytes").isEqualTo(bytes);
  }

  /** Collects what earlier tests left, until nothing more goes. */
  private static long settledCount() throws InterruptedException {
    long count = -1;
    for (int calm = 0; calm < 3; ) {
      System.gc();
      Thread.sleep(Duration.ofMillis(50));
      long now = Pointer.totalCount();
      calm = now == count ? calm + 1 : 0;
      count = now;
    }
    return count;
  }

  private static void evaluate(Model model, Observation x) {
    forward(model, Progress.SILENT).auxiliaryElbo(x, 25, rng(Purpose.EVALUATE));
    forward(model, Progress.SILENT).logLikelihood(x, 25, rng(Purpose.LIKELIHOOD));
    marginal(model, Progress.SILENT).estimate(x, 25, rng(Purpose.EVALUATE), rng(Purpose.MARGINAL));
  }

  private static void stop(Model model, Observation x) {
    Progress stop = (_, _) -> false;
    assertThatThrownBy(() -> forward(model, stop).auxiliaryElbo(x, 25, rng(Purpose.EVALUATE)))
        .isInstanceOf(Progress.StoppedException.class);
    assertThatThrownBy(
            () ->
                marginal(model, stop).estimate(x, 25, rng(Purpose.EVALUATE), rng(Purpose.MARGINAL)))
        .isInstanceOf(Progress.StoppedException.class);
  }

  private static ForwardWeights forward(Model model, Progress progress) {
    return new ForwardWeights(model, 40, progress);
  }

  private static MarginalElbo marginal(Model model, Progress progress) {
    return new MarginalElbo(model, 40, progress);
  }

  private static long residentMegabytes() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      String line = lines.filter(l -> l.startsWith("VmRSS:")).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
    }
  }

  private static CounterRng rng(Purpose purpose) {
    return new CounterRng(BACKEND, 71, purpose);
  }

  /** A CIF in training. */
  private static final class Run implements AutoCloseable {
    private final Model model;
    private final EagerEngine engine;
    private final Trainer trainer;
    private final Observation x;

    Run(Kind kind, Size size, long rows) {
      model = Posteriors.cif(kind, size, 1);
      engine =
          EagerEngine.seeded(
              model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 1, 1));
      trainer = new Trainer(engine, Schedule.constant(1e-3));
      x = Posteriors.observation(kind, rows);
    }

    void steps(long count) {
      trainer.run(trainer.steps() + count, x, _ -> true);
    }

    @Override
    public void close() {
      engine.close();
      model.close();
    }
  }
}
