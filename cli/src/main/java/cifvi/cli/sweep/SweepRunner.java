package cifvi.cli.sweep;

import cifvi.cli.option.ExitCode;
import cifvi.cli.progress.Interrupt;
import cifvi.experiments.files.UserException;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.sweep.Job;
import cifvi.experiments.sweep.Job.Status;
import cifvi.experiments.sweep.Sweep;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Runs planned cells in a folder and says how it went; the options say how. */
public final class SweepRunner {
  /** Processes that one machine starts. */
  public static final int MOST_JOBS = 256;

  private static final int LOG_LINES = 3;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "Cells at a time (default: cores / threads of a cell; with cuda 1, or 4 under MPS).")
  private @Nullable Integer jobs;

  @Option(
      names = "--retries",
      paramLabel = "R",
      defaultValue = "1",
      description = "How often a failed cell is tried again (default: ${DEFAULT-VALUE}).")
  private int retries;

  @Option(names = "--dry-run", description = "Check everything and list the cells, run nothing.")
  private boolean dryRun;

  public boolean dryRun() {
    return dryRun;
  }

  /** Runs the cells here, or lists them; the exit code says whether all are done. */
  public int run(SweepPlan plan, Path out, CommandSpec spec) {
    return run(plan, out, spec, () -> new Here(plan, out));
  }

  /** Likewise in a place that is opened when it is needed. */
  int run(SweepPlan plan, Path out, CommandSpec spec, Supplier<Place> opener) {
    check();
    if (dryRun) {
      show(Sweep.jobs(out, plan.cells()), spec.commandLine().getOut());
      return ExitCode.DONE;
    }
    PrintWriter err = spec.commandLine().getErr();
    try (var interrupt = Interrupt.install();
        var place = opener.get()) {
      IntSupplier atATime = jobs == null ? place.atATime() : () -> jobs;
      Sweep.Starter starter = place.starter(atATime.getAsInt());
      try (var sweep = Sweep.open(out, plan.cells(), starter, atATime, retries)) {
        var console = SweepConsole.onStderr(atATime, out, interrupt);
        List<Job> ended = sweep.run(place.listener(console));
        if (interrupt.requested()) {
          err.println("saved; go on with the same command");
          err.flush();
          return ExitCode.INTERRUPTED;
        }
        place.finish(ended);
        return finish(ended, place.address(), spec.commandLine().getOut(), err);
      }
    }
  }

  private void check() {
    if (jobs != null) {
      RunSpec.requireCount("--jobs", jobs, MOST_JOBS);
    }
    if (retries < 0) {
      throw new UserException("--retries: expected at least 0, got " + retries);
    }
  }

  private static int finish(List<Job> jobs, String out, PrintWriter stdout, PrintWriter err) {
    List<Job> failed = jobs.stream().filter(job -> job.status() == Status.FAILED).toList();
    for (Job job : failed) {
      err.println("failed: " + job.cell().name() + ", at the end of " + job.folder().log() + ":");
      job.folder().logTail(LOG_LINES).forEach(line -> err.println("  " + line));
    }
    err.flush();
    stdout.println((jobs.size() - failed.size()) + " of " + jobs.size() + " cells done");
    stdout.println(out + File.separator + "results.csv");
    stdout.println(out + File.separator + "index.html");
    stdout.flush();
    return failed.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static void show(List<Job> jobs, PrintWriter stdout) {
    for (Job job : jobs) {
      stdout.println(
          job.status()
              + "  cifvi "
              + String.join(" ", job.cell().arguments())
              + " --out "
              + job.folder().path());
    }
    stdout.flush();
  }
}
