package cifvi.experiments.benchmark;

import cifvi.tensor.Backend;
import cifvi.vi.StepInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Times training steps. All engines of a case take turns, a few steps each, so that a busy moment
 * of the machine hits all of them; the first second of each is warm-up and does not count.
 */
public final class StepBenchmark {
  private static final double LEARNING_RATE = 1e-4;
  private static final double WARM_UP_SECONDS = 1.5;
  private static final int TURN = 5;

  /** Steps on a GPU, which runs behind the host, are timed as many at a time. */
  private static final int STEPS_ON_GPU = 50;

  private StepBenchmark() {}

  /**
   * Times of one case with one engine.
   *
   * @param msP10 the 10th percentile: what a quiet machine does
   * @param gflops matrix products and convolutions alone, by the median
   * @param floorShare of what one large matrix product reaches on as many threads
   * @param startMs building the engine and taking the first step
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
      timings.forEach(timing -> timing.run(WARM_UP_SECONDS));
      timings.forEach(Timing::forget);
      while (timings.stream().anyMatch(t -> t.spent < seconds || t.ms.size() < 2 * TURN)) {
        timings.forEach(Timing::turn);
      }
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
    final List<Double> ms = new ArrayList<>();
    double spent; // seconds since the last forget
    long next;

    Timing(StepCase step, String engine, Backend backend, int threads, double floor) {
      this.threads = threads;
      this.floor = floor;
      long start = System.nanoTime();
      running = step.start(engine, backend, threads);
      step();
      running.engine().finish();
      startMs = (System.nanoTime() - start) / 1e6;
    }

    void run(double seconds) {
      while (spent < seconds) {
        turn();
      }
    }

    void turn() {
      boolean cuda = running.model().parameters().backend().cuda();
      int steps = cuda ? STEPS_ON_GPU : 1;
      for (int i = 0; i < TURN; i++) {
        long start = System.nanoTime();
        for (int j = 0; j < steps; j++) {
          step();
        }
        running.engine().finish();
        double took = (System.nanoTime() - start) / 1e9;
        spent += took;
        ms.add(1e3 * took / steps);
      }
    }

    private void step() {
      running.engine().submit(next++, LEARNING_RATE, running.x(), this::requireFinite);
    }

    private void requireFinite(StepInfo info) {
      if (!info.applied()) {
        throw new ArithmeticException(
            running.step().name() + ": step " + info.step() + " was not finite");
      }
    }

    void forget() {
      ms.clear();
      spent = 0;
    }

    Row row() {
      double[] sorted = ms.stream().mapToDouble(t -> t).sorted().toArray();
      double median = sorted[sorted.length / 2];
      double p10 = sorted[sorted.length / 10];
      var step = running.step();
      double flops = Flops.perStep(running.model().parameters(), step.rows());
      return new Row(
          step.name(),
          running.engine().name(),
          running.model().parameters().backend().device(),
          threads,
          median,
          p10,
          step.rows() / (median / 1e3),
          flops / median / 1e6,
          flops / median / 1e6 / floor,
          startMs,
          Floor.peakMb());
    }
  }
}
