package cifvi.experiments.benchmark;

import cifvi.engine.internal.cuda.Compilation;
import cifvi.tensor.Backend;
import cifvi.vi.StepInfo;
import java.util.ArrayList;
import java.util.List;

/** Times the training steps of a case with all its engines, which take turns. */
public final class StepBenchmark {
  private static final double LEARNING_RATE = 1e-4;

  private StepBenchmark() {}

  /**
   * Times of one case with one engine.
   *
   * @param msP10 the 10th percentile: what a quiet machine does
   * @param gflops matrix products and convolutions alone, by the median
   * @param floorShare of what one large matrix product reaches on as many threads
   * @param startMs building the model and the engine, and taking the first step
   * @param modelMs of that, building the model and what it observes
   * @param compileMs of that, waiting for CUDA kernels that were not compiled yet
   * @param peakMb most memory this process has used until then
   */
  public record Row(
      String caseName,
      String engine,
      String device,
      int threads,
      double msMedian,
      double msP10,
      double samplesPerSecond,
      double gflops,
      double floorShare,
      double startMs,
      double modelMs,
      double compileMs,
      double peakMb) {}

  /** Runs one case with each engine for about {@code seconds} seconds an engine. */
  public static List<Row> run(
      StepCase step,
      List<String> engines,
      Backend backend,
      int threads,
      double floor,
      double seconds) {
    var timings = new ArrayList<Timing>();
    try {
      for (String engine : engines) {
        timings.add(new Timing(step, engine, backend, threads, floor));
      }
      StepTimer.run(timings.stream().map(timing -> timing.timer).toList(), seconds);
      return timings.stream().map(Timing::row).toList();
    } finally {
      timings.forEach(timing -> timing.running.close());
    }
  }

  private static final class Timing {
    final StepCase.Running running;
    final int threads;
    final double floor;
    final double startMs;
    final double compileMs;
    final StepTimer timer;
    long next;

    Timing(StepCase step, String engine, Backend backend, int threads, double floor) {
      this.threads = threads;
      this.floor = floor;
      double waited = Compilation.waitedMs();
      long start = System.nanoTime();
      running = step.start(engine, backend, threads);
      steps(1);
      startMs = (System.nanoTime() - start) / 1e6;
      compileMs = Compilation.waitedMs() - waited;
      timer = new StepTimer(this::steps, backend.cuda(), System::nanoTime);
    }

    private void steps(int count) {
      for (int i = 0; i < count; i++) {
        running.engine().submit(next++, LEARNING_RATE, running.x(), this::requireFinite);
      }
      running.engine().finish();
    }

    private void requireFinite(StepInfo info) {
      if (!info.applied()) {
        throw new ArithmeticException(
            running.step().name() + ": step " + info.step() + " was not finite");
      }
    }

    Row row() {
      double median = timer.quantile(0.5);
      var step = running.step();
      double flops = Flops.perStep(running.model().parameters(), step.rows());
      return new Row(
          step.name(),
          running.engine().name(),
          running.model().parameters().backend().device(),
          threads,
          median,
          timer.quantile(0.1),
          step.rows() / (median / 1e3),
          flops / median / 1e6,
          flops / median / 1e6 / floor,
          startMs,
          running.buildMs(),
          compileMs,
          Floor.peakMb());
    }
  }
}
