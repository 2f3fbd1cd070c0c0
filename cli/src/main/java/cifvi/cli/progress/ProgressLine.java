package cifvi.cli.progress;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * One line on stderr that follows long work: on a terminal it is rewritten in place, elsewhere a
 * new line appears at every tenth of the way.
 */
public final class ProgressLine {
  private static final long REDRAW_NANOS = 200_000_000;
  private static final long NEW_LINE_NANOS = 5_000_000_000L;
  private static final int BAR = 24;
  private static final int LEAST_BAR = 4;

  private final PrintStream err;
  private final boolean terminal;
  private final int columns;
  private String task = "";
  private long start;
  private long startDone;
  private long lastDrawn;
  private int lastTenth;

  ProgressLine(PrintStream err, boolean terminal, int columns) {
    this.err = err;
    this.terminal = terminal;
    this.columns = columns;
  }

  /**
   * On stderr, in place where the launcher found that to be a terminal: Java itself cannot tell.
   */
  public static ProgressLine onStderr() {
    return new ProgressLine(System.err, Boolean.getBoolean("cifvi.terminal"), columns());
  }

  /** The width of the terminal as the launcher found it. */
  public static int columns() {
    return Integer.getInteger("cifvi.columns", 80);
  }

  /** Shows how far {@code task} has come; {@code detail} is shown behind the bar. */
  public void show(String task, long done, long of, String detail) {
    long now = System.nanoTime();
    if (!task.equals(this.task)) {
      this.task = task;
      start = now;
      startDone = Math.max(0, done - 1);
      lastDrawn = now;
      lastTenth = (int) (10 * startDone / of);
    }
    int tenth = (int) (10 * done / of);
    boolean last = done >= of;
    boolean due = now - lastDrawn > (terminal ? REDRAW_NANOS : NEW_LINE_NANOS);
    if (last || (due && (terminal || tenth > lastTenth))) {
      lastDrawn = now;
      lastTenth = tenth;
      draw(done, of, detail, (now - start) / 1e9);
    }
    if (last) {
      end();
    }
  }

  private void draw(long done, long of, String detail, double seconds) {
    double left = seconds / Math.max(1, done - startDone) * (of - done);
    String time = done >= of ? "in " + clock(seconds) : clock(left) + " left";
    String name = String.format(Locale.ROOT, "%-14s ", task);
    String rest =
        String.format(
            Locale.ROOT, " %3d%%  %,d/%,d  %s  %s", 100 * done / of, done, of, detail, time);
    if (terminal) {
      int room = columns - 1 - name.length() - rest.length();
      String bar = room < LEAST_BAR ? "" : bar(done, of, Math.min(BAR, room));
      err.print("\r\033[K" + cut(bar.isEmpty() ? name.strip() + rest : name + bar + rest));
    } else {
      err.println(name + bar(done, of, BAR) + rest);
    }
    err.flush();
  }

  /** One column less than there are, since some terminals begin a new line in the last. */
  private String cut(String line) {
    return line.length() < columns ? line : line.substring(0, Math.max(0, columns - 2)) + "…";
  }

  /** Shows a line that the next one replaces, on a terminal only and not too often. */
  public void status(Supplier<String> text) {
    long now = System.nanoTime();
    if (terminal && now - lastDrawn > REDRAW_NANOS) {
      lastDrawn = now;
      err.print("\r\033[K" + cut(text.get()));
      err.flush();
    }
  }

  /** A line that stays, in the place of the status before it. */
  public void replaceStatus(String text) {
    err.println(terminal ? "\r\033[K" + text : text);
    lastDrawn = 0;
  }

  /** Ends the line in progress, so that other text can follow. */
  public void end() {
    if (terminal && lastDrawn != 0) {
      err.println();
    }
    task = "";
    lastDrawn = 0;
  }

  /** A line of text of its own. */
  public void note(String line) {
    end();
    err.println(Printable.of(line));
  }

  public static String bar(long done, long of, int width) {
    int filled = (int) (width * done / of);
    return "█".repeat(filled) + "░".repeat(width - filled);
  }

  public static String clock(double seconds) {
    long s = Math.round(seconds);
    return s >= 3600
        ? String.format(Locale.ROOT, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60)
        : String.format(Locale.ROOT, "%d:%02d", s / 60, s % 60);
  }
}
