package cifvi.cli.kind;

import cifvi.cli.progress.Interrupt;
import cifvi.cli.progress.ProgressLine;
import cifvi.experiments.run.RunListener;
import java.util.Locale;

/** Shows a fit on stderr, stage after stage, and stops it when Ctrl-C asks for it. */
final class FitConsole implements RunListener {
  private static final double SMOOTHING = 0.98;

  private final ProgressLine line = ProgressLine.onStderr();
  private final Interrupt interrupt;
  private String stage = "";
  private double smoothed = Double.NaN;

  FitConsole(Interrupt interrupt) {
    this.interrupt = interrupt;
  }

  @Override
  public void note(String text) {
    line.note(text);
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
