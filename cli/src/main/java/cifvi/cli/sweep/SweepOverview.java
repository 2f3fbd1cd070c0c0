package cifvi.cli.sweep;

import cifvi.cli.progress.ProgressLine;
import cifvi.experiments.sweep.CellProgress;
import cifvi.experiments.sweep.Job;
import cifvi.experiments.sweep.Job.Status;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A sweep in a few lines of text, none longer than a narrow terminal. */
public record SweepOverview(List<Job> jobs, int atATime) {
  private static final int WIDEST = 79;
  private static final int NAME = 36;
  private static final int MOST_LINES = 20;
  private static final int BAR = 20;

  /** A line for each cell, or for those running where there are many, and one about all. */
  public List<String> lines() {
    Stream<Job> shown =
        jobs.size() <= MOST_LINES
            ? jobs.stream()
            : jobs.stream().filter(job -> job.status() == Status.RUNNING).limit(MOST_LINES);
    return Stream.concat(shown.map(this::line), Stream.of(cut(total()))).toList();
  }

  public String line(Job job) {
    int width =
        Math.min(NAME, jobs.stream().mapToInt(j -> j.cell().name().length()).max().orElse(0));
    String line =
        String.format(
            Locale.ROOT, "%-" + width + "s  %-7s  %s", shortened(job), job.status(), detail(job));
    return cut(line.stripTrailing());
  }

  private static String shortened(Job job) {
    String name = job.cell().name();
    return name.length() <= NAME ? name : "…" + name.substring(name.length() - NAME + 1);
  }

  private static String cut(String text) {
    int width = Math.clamp(ProgressLine.columns() - 1L, 2, WIDEST);
    return text.length() <= width ? text : text.substring(0, width - 1) + "…";
  }

  private static String detail(Job job) {
    return switch (job.status()) {
      case RUNNING -> job.progress().map(progress -> detail(job, progress)).orElse("starting");
      case DONE -> result(job);
      case FAILED -> "see " + job.folder().log().getFileName();
      case WAITING, STOPPED -> job.failures() > 0 ? "to be tried again" : "";
    };
  }

  private static String detail(Job job, CellProgress now) {
    String of = now.limited() ? String.format(Locale.ROOT, "/%,d", now.of()) : "";
    String where =
        String.format(Locale.ROOT, "%s %,d%s  ELBO %.2f", now.unit(), now.done(), of, now.elbo());
    OptionalDouble left = job.secondsLeft(now);
    return now.done() == now.of()
        ? where + "  evaluating"
        : left.isPresent()
            ? where + "  " + ProgressLine.clock(left.getAsDouble()) + " left"
            : where;
  }

  /** The numbers of a finished cell that people look for first. */
  public static String result(Job job) {
    return job.folder()
        .result()
        .map(
            result ->
                Stream.of("log_likelihood", "marginal_elbo", "elbo")
                    .filter(key -> result.path(key).isNumber())
                    .findFirst()
                    .map(
                        key ->
                            String.format(
                                Locale.ROOT,
                                "%s %.2f  in %s%s",
                                key.replace('_', ' ').replace("elbo", "ELBO"),
                                result.path(key).asDouble(),
                                ProgressLine.clock(result.path("seconds").asDouble(0)),
                                result.has("broke_off_at_epoch") ? "  broke off" : ""))
                    .orElse(""))
        .orElse("");
  }

  private long count(Status status) {
    return jobs.stream().filter(job -> job.status() == status).count();
  }

  /** {@code ████░░░░ 3 of 12 done, 2 running, 1 failed, 0:42 left}. */
  public String total() {
    long done = count(Status.DONE);
    long failed = count(Status.FAILED);
    int filled = (int) (BAR * (done + failed) / jobs.size());
    OptionalDouble left = secondsLeft();
    return "█".repeat(filled)
        + "░".repeat(BAR - filled)
        + String.format(
            Locale.ROOT, " %,d of %,d done, %,d running", done, jobs.size(), count(Status.RUNNING))
        + (failed > 0 ? ", " + failed + " failed" : "")
        + (left.isPresent() ? ", " + ProgressLine.clock(left.getAsDouble()) + " left" : "");
  }

  /** Cells not yet begun are taken to last as long as the others on average. */
  private OptionalDouble secondsLeft() {
    double left = 0;
    double known = 0;
    int cells = 0;
    for (Job job : jobs) {
      OptionalDouble own =
          job.status() == Status.RUNNING
              ? job.progress().map(job::secondsLeft).orElse(OptionalDouble.empty())
              : OptionalDouble.empty();
      double past =
          job.status() == Status.DONE
              ? job.result().map(r -> r.path("seconds").asDouble(0)).orElse(0.0)
              : job.seconds();
      if (own.isPresent() || job.status() == Status.DONE) {
        left += own.orElse(0);
        known += past + own.orElse(0);
        cells++;
      }
    }
    long open = count(Status.WAITING) + count(Status.STOPPED) + count(Status.RUNNING);
    long unknown = jobs.size() - cells - count(Status.FAILED);
    return open == 0 || cells == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((left + unknown * known / cells) / Math.min(atATime, open));
  }
}
