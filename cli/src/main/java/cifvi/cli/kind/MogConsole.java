package cifvi.cli.kind;

import cifvi.cli.progress.Interrupt;
import cifvi.cli.progress.ProgressLine;
import cifvi.experiments.run.RunListener;
import java.util.Locale;

/** Shows a mixture run on stderr and stops it when Ctrl-C asks for it. */
public final class MogConsole implements RunListener {
  private static final double SMOOTHING = 0.98;

  private final String name;
  private final ProgressLine line;
  private final Interrupt interrupt;
  private double smoothed = Double.NaN;

  public MogConsole(String name, Interrupt interrupt) {
    this.name = name;
    this.line = ProgressLine.onStderr();
    this.interrupt = interrupt;
  }

  @Override
  public void note(String text) {
    line.note(text);
  }

  @Override
  public boolean step(long done, long steps, double elbo) {
    smoothed = Double.isNaN(smoothed) ? elbo : SMOOTHING * smoothed + (1 - SMOOTHING) * elbo;
    line.show(name, done, steps, String.format(Locale.ROOT, "ELBO %.3f", smoothed));
    return !interrupt.requested();
  }

  @Override
  public boolean evaluating(String what, long done, long of) {
    line.show(what, done, of, "draws");
    return !interrupt.requested();
  }
}
