package cifvi.cli.kind;

import cifvi.cli.progress.Interrupt;
import cifvi.cli.progress.ProgressLine;
import cifvi.experiments.density.DensitySpec;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.RunListener;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows a density run on stderr, and stops it when Ctrl-C asks for it. */
final class DensityConsole implements RunListener {
  private final DensitySpec spec;
  private final ProgressLine line = ProgressLine.onStderr();
  private final Interrupt interrupt;
  private @Nullable EpochRow last;

  DensityConsole(DensitySpec spec, Interrupt interrupt) {
    this.spec = spec;
    this.interrupt = interrupt;
  }

  @Override
  public void note(String text) {
    line.note(text);
  }

  /** Without a number of steps nobody knows how far it is. */
  @Override
  public boolean step(long done, long steps, double elbo) {
    if (spec.steps() != null) {
      line.show(spec.model().toString(), done, steps, detail());
    } else {
      line.status(
          () -> String.format(Locale.ROOT, "%s  step %,d  %s", spec.model(), done, detail()));
    }
    return !interrupt.requested();
  }

  private String detail() {
    return last == null ? "" : String.format(Locale.ROOT, "validation %.3f", last.bestValidElbo());
  }

  @Override
  public void epoch(EpochRow row) {
    last = row;
    if (spec.steps() == null) {
      line.replaceStatus(
          String.format(
              Locale.ROOT,
              "validation %d after %,d steps: train %.3f  valid %.3f  best %.3f  patience %d",
              row.epoch(),
              row.steps(),
              row.trainElbo(),
              row.validElbo(),
              row.bestValidElbo(),
              Math.max(0, spec.patience() - row.badEpochs())));
    }
  }

  @Override
  public boolean evaluating(String what, long done, long of) {
    if (!what.equals("validation")) {
      line.show(what, done, of, "draws");
    }
    return !interrupt.requested();
  }
}
