package cifvi.experiments.run;

import cifvi.distribution.Observation;
import cifvi.experiments.files.CsvLog;
import cifvi.vi.StepInfo;
import cifvi.vi.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.bytedeco.javacpp.PointerScope;

/**
 * Takes the steps of a run: each leaves a line in {@code metrics.csv}, and the state is saved all
 * the time, so that a run can be stopped and gone on with at any moment.
 */
public final class Training implements AutoCloseable {
  /**
   * Small enough to lose little, large enough to cost nothing: a checkpoint takes some
   * milliseconds.
   */
  private static final double SAVE_SECONDS = 1.5;

  private final Checkpoints checkpoints;
  private final Checkpoints.State state;
  private final RunListener listener;
  private final CsvLog<StepRow> metrics;
  private final List<StepInfo> reports = new ArrayList<>(); // not logged yet
  private long nanos; // spent on them
  private long lastSave = System.nanoTime();
  private long lastSaved;
  private long logged;

  /** Goes on after the steps that {@code state} has done. */
  public Training(
      RunDirectory directory,
      Checkpoints checkpoints,
      Checkpoints.State state,
      RunListener listener) {
    this.checkpoints = checkpoints;
    this.state = state;
    this.listener = listener;
    this.lastSaved = state.trainer().steps();
    this.logged = lastSaved;
    checkpoints.saveFirst(state);
    this.metrics = StepRow.log(directory, lastSaved);
  }

  /**
   * Takes steps until {@code until} are done in all, or the listener says stop.
   *
   * @param of number of steps of the whole run, for the listener
   * @param batch the observation of a step, by its number
   * @param each told every line of the metrics
   * @return false where the listener said stop
   */
  public boolean run(long until, long of, LongFunction<Observation> batch, Consumer<StepRow> each) {
    Trainer trainer = state.trainer();
    boolean goOn = true;
    while (goOn && trainer.steps() < until) {
      boolean due = System.nanoTime() - lastSave > SAVE_SECONDS * 1e9;
      try {
        submit(batch);
        if (due || trainer.steps() == until) {
          finish();
        }
      } finally {
        goOn = log(of, each);
      }
      if (due) {
        save();
      }
    }
    finish(); // after a stop some steps may still be under way
    log(of, each);
    return goOn;
  }

  /** Takes a step, which may report later. */
  private void submit(LongFunction<Observation> batch) {
    Trainer trainer = state.trainer();
    timed(
        () -> {
          long step = trainer.steps();
          trainer.submit(batch.apply(step), reports::add);
          if (state.average() != null) {
            state.average().add(step);
          }
        });
  }

  /** Waits until every step has reported. */
  private void finish() {
    timed(state.trainer()::finish);
  }

  private void timed(Runnable work) {
    long before = System.nanoTime();
    try (var _ = new PointerScope()) {
      work.run();
    }
    nanos += System.nanoTime() - before;
  }

  /** Writes a line for every step that has reported, the time since the last shared out evenly. */
  private boolean log(long of, Consumer<StepRow> each) {
    boolean goOn = true;
    double ms = nanos / 1e6 / Math.max(1, reports.size());
    for (StepInfo info : reports) {
      double rate = state.trainer().schedule().rate(info.step());
      var row = new StepRow(info.step(), info.objective(), info.gradientNorm(), rate, ms);
      metrics.add(row);
      logged++;
      nanos = 0;
      each.accept(row);
      goOn &= listener.step(info.step() + 1, of, row.elbo());
    }
    reports.clear();
    return goOn;
  }

  /**
   * Saves the state, no step being under way. The metrics first: a checkpoint counts on having a
   * line for each of its steps.
   */
  public void save() {
    metrics.flush();
    checkpoints.save(state);
    lastSave = System.nanoTime();
    lastSaved = state.trainer().steps();
  }

  /** Saves what is not saved yet; after a step that failed, and has no line, nothing is. */
  @Override
  public void close() {
    try (metrics) {
      if (lastSaved < logged && logged == state.trainer().steps()) {
        save();
      }
    }
  }
}
