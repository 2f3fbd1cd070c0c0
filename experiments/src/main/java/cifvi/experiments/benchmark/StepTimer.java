package cifvi.experiments.benchmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Times the steps of one engine. A sample is the time of one step or, on a GPU, which runs behind
 * the host, of as many at once as take some 20 ms; a turn is as many samples as take a tenth of a
 * second, however fast the engine.
 */
final class StepTimer {
  private static final double WARM_UP_MS = 1500;
  private static final double TURN_MS = 100;
  private static final double SAMPLE_MS = 20;
  private static final int MOST_AT_ONCE = 50;

  /** So many samples are wanted, for which steps may take up to three times their time. */
  private static final int SAMPLES = 10;

  private static final double OVERTIME = 3;

  private final IntConsumer steps;
  private final int mostAtOnce;
  private final LongSupplier nanoTime;
  private final List<Double> ms = new ArrayList<>();
  private double spent; // milliseconds
  private int atOnce = 1;

  /**
   * A timer of steps that nothing has been seen of.
   *
   * @param steps takes so many steps and waits for them
   * @param gpu whether they may be timed many at once
   */
  StepTimer(IntConsumer steps, boolean gpu, LongSupplier nanoTime) {
    this.steps = steps;
    this.mostAtOnce = gpu ? MOST_AT_ONCE : 1;
    this.nanoTime = nanoTime;
  }

  /**
   * Gives each timer this time, after its warm-up. Next is always the one that has had the least,
   * so that a busy moment of the machine hits all of them.
   */
  static void run(List<StepTimer> timers, double seconds) {
    timers.forEach(StepTimer::warmUp);
    Optional<StepTimer> next = next(timers, 1e3 * seconds);
    while (next.isPresent()) {
      next.get().turn();
      next = next(timers, 1e3 * seconds);
    }
  }

  private static Optional<StepTimer> next(List<StepTimer> timers, double time) {
    return timers.stream()
        .filter(timer -> !timer.isDone(time))
        .min(Comparator.comparingDouble(timer -> timer.spent));
  }

  private boolean isDone(double time) {
    return spent >= time && ms.size() >= (spent < OVERTIME * time ? SAMPLES : 1);
  }

  /** Finds out, too, how many steps make a sample. */
  private void warmUp() {
    while (spent < WARM_UP_MS) {
      ms.clear();
      turn();
      atOnce = (int) Math.clamp(SAMPLE_MS / quantile(0.5), 1, mostAtOnce);
    }
    ms.clear();
    spent = 0;
  }

  private void turn() {
    double end = spent + TURN_MS;
    while (spent < end) {
      long start = nanoTime.getAsLong();
      steps.accept(atOnce);
      double took = (nanoTime.getAsLong() - start) / 1e6;
      spent += took;
      ms.add(took / atOnce);
    }
  }

  /** Milliseconds a step that this share of the samples stays below. */
  double quantile(double share) {
    double[] sorted = ms.stream().mapToDouble(t -> t).sorted().toArray();
    return sorted[(int) (share * sorted.length)];
  }
}
