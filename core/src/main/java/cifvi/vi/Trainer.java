package cifvi.vi;

import cifvi.distribution.Observation;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * θ ← Adam(θ, clip(∇_θ bound)), step by step in order. A step with a non-finite loss or gradient is
 * skipped and counted; after {@value #MAX_SKIPPED_IN_A_ROW} in a row training stops, the parameters
 * being those of the last good step.
 */
public final class Trainer {
  public static final int MAX_SKIPPED_IN_A_ROW = 10;

  private final StepEngine engine;
  private final Schedule schedule;
  private long next;
  private long skipped;
  private int skippedInARow;

  public Trainer(StepEngine engine, Schedule schedule) {
    this.engine = engine;
    this.schedule = schedule;
  }

  /**
   * Takes the next step on the batch x.
   *
   * @throws ArithmeticException after too many non-finite steps in a row
   */
  public StepInfo step(Observation x) {
    StepInfo info = engine.step(next, rate(), x);
    next++;
    count(info);
    return info;
  }

  /**
   * Takes the next step on the batch x without waiting for it; {@code report} is told of it at once
   * or some steps later.
   *
   * @throws ArithmeticException where a report is one of too many non-finite steps in a row
   */
  public void submit(Observation x, Consumer<StepInfo> report) {
    long step = next;
    engine.submit(
        step,
        rate(),
        x,
        info -> {
          next = Math.max(next, info.step() + 1);
          count(info);
          report.accept(info);
        });
    next = step + 1;
  }

  /** Waits for the steps that were submitted and lets them report. */
  public void finish() {
    engine.finish();
  }

  private double rate() {
    double rate = schedule.rate(next);
    if (!(rate >= 0) || Double.isInfinite(rate)) {
      throw new IllegalArgumentException(
          "schedule: expected a rate from 0 on at step " + next + ", got " + rate);
    }
    return rate;
  }

  private void count(StepInfo info) {
    if (info.applied()) {
      skippedInARow = 0;
      return;
    }
    skipped++;
    skippedInARow++;
    if (skippedInARow >= MAX_SKIPPED_IN_A_ROW) {
      throw new ArithmeticException(
          ("training stopped: steps %d to %d all had a non-finite objective (%s) or gradient norm (%s); the parameters"
                  + " are those of the last good step. Try a smaller learning rate or gradient clipping")
              .formatted(
                  info.step() - skippedInARow + 1,
                  info.step(),
                  info.objective(),
                  info.gradientNorm()));
    }
  }

  /**
   * Takes steps on the same observation until {@code steps} are done in all or {@code goOn} says
   * no.
   */
  public void run(long steps, Observation x, Predicate<StepInfo> goOn) {
    var stopped = new AtomicBoolean();
    while (next < steps && !stopped.get()) {
      submit(
          x,
          info -> {
            if (!goOn.test(info)) {
              stopped.set(true);
            }
          });
    }
    finish();
  }

  public Schedule schedule() {
    return schedule;
  }

  /** Number of steps taken, skipped ones and those that have not reported yet included. */
  public long steps() {
    return next;
  }

  public long skipped() {
    return skipped;
  }

  public int skippedInARow() {
    return skippedInARow;
  }

  /** Goes on from a checkpoint, the optimiser having been resumed. */
  public void resume(long steps, long skipped, int skippedInARow) {
    this.next = steps;
    this.skipped = skipped;
    this.skippedInARow = skippedInARow;
  }
}
