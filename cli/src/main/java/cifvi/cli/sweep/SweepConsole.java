package cifvi.cli.sweep;

import cifvi.cli.progress.Interrupt;
import cifvi.cli.report.sweep.SweepPage;
import cifvi.experiments.sweep.Job;
import cifvi.experiments.sweep.Sweep;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Shows a sweep on stderr and keeps its page current: on a terminal a small table redrawn in place,
 * elsewhere a line whenever a cell starts or ends, and once a minute.
 */
public final class SweepConsole implements Sweep.Listener {
  private static final long REDRAW_NANOS = 1_000_000_000L;
  private static final long NEW_LINE_NANOS = 60_000_000_000L;

  private final PrintStream err;
  private final boolean terminal;
  private final IntSupplier atATime;
  private final Path page;
  private final Interrupt interrupt;
  private long lastDrawn = System.nanoTime();
  private int drawn;

  /** On stderr, in place where the launcher found that to be a terminal. */
  public static SweepConsole onStderr(IntSupplier atATime, Path out, Interrupt interrupt) {
    boolean terminal = Boolean.getBoolean("cifvi.terminal");
    return new SweepConsole(System.err, terminal, atATime, out.resolve("index.html"), interrupt);
  }

  public SweepConsole(
      PrintStream err, boolean terminal, IntSupplier atATime, Path page, Interrupt interrupt) {
    this.err = err;
    this.terminal = terminal;
    this.atATime = atATime;
    this.page = page;
    this.interrupt = interrupt;
  }

  @Override
  public void changed(List<Job> jobs) {
    SweepPage.write(jobs, page);
    if (terminal) {
      redraw(jobs);
    }
  }

  @Override
  public void started(Job job) {
    if (!terminal) {
      err.println((job.folder().isStarted() ? "go on  " : "start  ") + job.cell().name());
    }
  }

  @Override
  public void ended(Job job, int exitCode) {
    if (!terminal || job.status() != Job.Status.DONE) {
      clear();
      err.println(ending(job, exitCode));
    }
  }

  private static String ending(Job job, int exitCode) {
    String name = job.cell().name();
    return switch (job.status()) {
      case DONE -> "done   " + name + "  " + SweepOverview.result(job);
      case FAILED -> "failed " + name + " (exit code " + exitCode + ")";
      default -> "ended  " + name + " (exit code " + exitCode + "), to be gone on with";
    };
  }

  @Override
  public boolean goOn(List<Job> jobs) {
    long now = System.nanoTime();
    if (now - lastDrawn > (terminal ? REDRAW_NANOS : NEW_LINE_NANOS)) {
      lastDrawn = now;
      redraw(jobs);
    }
    return !interrupt.requested();
  }

  private void redraw(List<Job> jobs) {
    clear();
    var overview = new SweepOverview(jobs, atATime.getAsInt());
    List<String> lines = terminal ? overview.lines() : List.of(overview.total());
    drawn = terminal ? lines.size() : 0;
    lines.forEach(err::println);
    err.flush();
  }

  /** Takes the table away, so that a line can follow that stays. */
  private void clear() {
    if (drawn > 0) {
      err.print("\033[" + drawn + "A\r\033[J");
      drawn = 0;
    }
  }
}
