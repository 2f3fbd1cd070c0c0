package cifvi.cli.kind;

import cifvi.cli.progress.Interrupt;
import cifvi.cli.progress.ProgressLine;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.run.EpochRow;
import cifvi.experiments.run.RunListener;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Shows an image run on stderr, a line an epoch and on a terminal a status in between, and stops it
 * when Ctrl-C asks for it.
 */
public final class ImagesConsole implements RunListener {
  private static final int BAR = 16;

  private final ImagesSpec spec;
  private final ProgressLine line = ProgressLine.onStderr();
  private final Interrupt interrupt;
  private @Nullable EpochRow last;
  private long epochStart;
  private long epochStartStep;
  private double sum;

  public ImagesConsole(ImagesSpec spec, Interrupt interrupt) {
    this.spec = spec;
    this.interrupt = interrupt;
  }

  @Override
  public void note(String text) {
    line.note(text);
  }

  @Override
  public boolean step(long done, long steps, double elbo) {
    if (epochStart == 0) {
      epochStart = System.nanoTime();
      epochStartStep = done;
      sum = 0;
    } else {
      sum += elbo;
      line.status(() -> status(done, steps));
    }
    return !interrupt.requested();
  }

  private String status(long done, long steps) {
    long perEpoch = steps / spec.epochs();
    long inEpoch = (done - 1) % perEpoch + 1;
    double seconds = (System.nanoTime() - epochStart) / 1e9;
    long counted = done - epochStartStep;
    String before = last == null ? "" : "  " + validation(last);
    return String.format(
        Locale.ROOT,
        "%s  %s %3d%%  train %.2f%s  %s",
        epoch((done - 1) / perEpoch + 1),
        ProgressLine.bar(inEpoch, perEpoch, BAR),
        100 * inEpoch / perEpoch,
        sum / counted,
        before,
        speed(counted / seconds, steps - done));
  }

  @Override
  public void epoch(EpochRow row) {
    last = row;
    long perEpoch = row.steps() / row.epoch();
    String mark = row.badEpochs() == 0 ? " (new best)" : "";
    line.replaceStatus(
        String.format(
            Locale.ROOT,
            "%s  train %.2f  %s%s  %s",
            epoch(row.epoch()),
            row.trainElbo(),
            validation(row),
            mark,
            speed(perEpoch / row.seconds(), (spec.epochs() - row.epoch()) * perEpoch)));
    epochStart = 0;
  }

  private String epoch(long number) {
    int width = Long.toString(spec.epochs()).length();
    return ("epoch %" + width + "d/%d").formatted(number, spec.epochs());
  }

  private String validation(EpochRow row) {
    return String.format(
        Locale.ROOT,
        "valid %.2f  best %.2f%s",
        row.validElbo(),
        row.bestValidElbo(),
        spec.patience() == null
            ? ""
            : "  patience " + Math.max(0, spec.patience() - row.badEpochs()));
  }

  private String speed(double stepsPerSecond, long stepsLeft) {
    String speed = String.format(Locale.ROOT, "%,.0f images/s", stepsPerSecond * spec.batch());
    return stepsLeft == 0
        ? speed
        : speed + "  at most " + ProgressLine.clock(stepsLeft / stepsPerSecond) + " left";
  }

  @Override
  public boolean evaluating(String what, long done, long of) {
    if (!what.equals("validation")) {
      line.show(what, done, of, "draws");
    }
    return !interrupt.requested();
  }
}
