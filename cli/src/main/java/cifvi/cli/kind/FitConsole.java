package cifvi.cli.kind;

import cifvi.cli.progress.Interrupt;
import cifvi.cli.progress.ProgressLine;
import cifvi.experiments.run.RunListener;
import java.util.Locale;

/** Shows a fit on stderr, stage after stage, and stops it when Ctrl-C asks for it. */
final class FitConsole implements RunListener {
  private static final double SMOOTHING = 0.98;
  private static final long SLOW_NANOS = 5_000_000_000L;

  private final ProgressLine line = ProgressLine.onStderr();
  private final Interrupt interrupt;
  private String stage = "";
  private double smoothed = Double.NaN;
  private long searched;
  private long searchStart;
  private boolean slow;

  FitConsole(Interrupt interrupt) {
    this.interrupt = interrupt;
  }

  @Override
  public void note(String text) {
    line.note(text);
  }

  @Override
  public boolean searching(long calls) {
    long now = System.nanoTime();
    if (calls < searched || searched == 0) { // another start
      searchStart = now;
      slow = false;
    }
    searched = calls;
    if (!slow && now - searchStart > SLOW_NANOS) {
      slow = true;
      line.note(
          "looking for modes before the first step, which takes thousands of calls of the density");
    }
    line.status(() -> String.format(Locale.ROOT, "looking for modes: %,d calls so far", calls));
    return !interrupt.requested();
  }

  @Override
  public boolean step(String stage, long done, long steps, double elbo) {
    boolean fresh = !stage.equals(this.stage) || Double.isNaN(smoothed);
    this.stage = stage;
    smoothed = fresh ? elbo : SMOOTHING * smoothed + (1 - SMOOTHING) * elbo;
    line.show(stage, done, steps, String.format(Locale.ROOT, "ELBO %.3f", smoothed));
    return !interrupt.requested();
  }
}
