package cifvi.experiments.run;

import cifvi.distribution.Observation;
import cifvi.vi.StepInfo;
import cifvi.vi.Trainer;
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
    while (trainer.steps() < until) {
      StepRow row = step(batch);
      metrics.add(row);
      logged++;
      each.accept(row);
      saveIfDue();
      if (!listener.step(trainer.steps(), of, row.elbo())) {
        return false;
      }
    }
    return true;
  }

  private StepRow step(LongFunction<Observation> batch) {
    long before = System.nanoTime();
    try (var _ = new PointerScope()) {
      Trainer trainer = state.trainer();
      StepInfo info = trainer.step(batch.apply(trainer.steps()));
      if (state.average() != null) {
        state.average().add(info.step());
      }
      double ms = (System.nanoTime() - before) / 1e6;
      double rate = trainer.schedule().rate(info.step());
      return new StepRow(info.step(), info.objective(), info.gradientNorm(), rate, ms);
    }
  }

  private void saveIfDue() {
    if (System.nanoTime() - lastSave > SAVE_SECONDS * 1e9) {
      save();
    }
  }

  /** The metrics first: a checkpoint counts on having a line for each of its steps. */
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
