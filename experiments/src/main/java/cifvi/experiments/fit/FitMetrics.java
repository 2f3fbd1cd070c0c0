package cifvi.experiments.fit;

import cifvi.Fit;
import cifvi.experiments.files.CsvLog;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.StepRow;
import cifvi.vi.StepTime;
import org.jspecify.annotations.Nullable;

/** Writes the steps of a fit to {@code metrics.csv}, all stages counted on, and shows them. */
final class FitMetrics implements Fit.Listener, AutoCloseable {
  private final RunDirectory directory;
  private final RunListener listener;
  private @Nullable CsvLog<StepRow> log;
  private long last = System.nanoTime();
  private double seconds;
  private StepTime time = StepTime.NONE;
  private boolean stopped;

  FitMetrics(RunDirectory directory, RunListener listener) {
    this.directory = directory;
    this.listener = listener;
  }

  @Override
  public boolean step(Fit.Progress progress) {
    if (log == null) { // a fit that is gone on with says here from where on
      log = StepRow.log(directory, progress.total() - 1);
    }
    long now = System.nanoTime();
    double ms = (now - last) / 1e6;
    last = now;
    seconds += ms / 1e3;
    log.add(
        new StepRow(
            progress.total() - 1,
            progress.elbo(),
            progress.gradientNorm(),
            progress.learningRate(),
            ms));
    stopped |= !listener.step(progress.what(), progress.step(), progress.steps(), progress.elbo());
    return !stopped;
  }

  @Override
  public boolean searching(long calls) {
    return listener.searching(calls);
  }

  /** A state that is saved counts on a line for each of its steps. */
  @Override
  public void saving() {
    if (log != null) {
      log.flush();
    }
  }

  @Override
  public void trained(StepTime time) {
    this.time = this.time.plus(time);
  }

  /** What the steps of this process were spent on. */
  StepTime time() {
    return time;
  }

  boolean stopped() {
    return stopped;
  }

  /** What the steps of this process took. */
  double seconds() {
    return seconds;
  }

  @Override
  public void close() {
    if (log != null) {
      log.close();
    }
  }
}
