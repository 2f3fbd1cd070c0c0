package cifvi.experiments.sweep;

import cifvi.experiments.files.FolderLock;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Works through the cells of a sweep, each a process of its own, some at a time. All it knows is on
 * disk: a cell with a {@code result.json} is done, one with a {@code spec.yaml} is gone on with. So
 * nothing is lost when the sweep or a cell is killed.
 */
public final class Sweep implements AutoCloseable {
  /**
   * Starts {@code cifvi} with the arguments of a cell, its output appended to the folder's log:
   * here, or elsewhere, in which case the process stands for the one there.
   */
  @FunctionalInterface
  public interface Starter {
    Process start(Cell cell, CellFolder folder) throws IOException;
  }

  /** Follows the sweep. */
  public interface Listener {
    /** A cell has started or ended, or the sweep has just been opened. */
    default void changed(List<Job> jobs) {}

    /** A cell has started. */
    default void started(Job job) {}

    /** A cell's process has ended with this exit code. */
    default void ended(Job job, int exitCode) {}

    /** Asked several times a second; return false to stop all cells and save. */
    default boolean goOn(List<Job> jobs) {
      return true;
    }
  }

  private static final long POLL_MILLIS = 100;

  /** From so many cells on the table is written once a second, not whenever it changes. */
  private static final int MANY = 200;

  private static final long TELL_NANOS = 1_000_000_000L;
  private static final int USAGE = 2;
  private static final List<Integer> STOPPED = List.of(130, 143);

  private final Path folder;
  private final FolderLock lock;
  private final List<Job> jobs;
  private final Starter starter;
  private final IntSupplier atATime;
  private final int retries;
  private final Semaphore ends = new Semaphore(0);
  private long lastTold;
  private boolean toTell;
  private final Deque<Job> queue = new ArrayDeque<>();
  private final SequencedMap<Job, Process> running = new LinkedHashMap<>();

  private Sweep(
      Path folder,
      FolderLock lock,
      List<Cell> cells,
      Starter starter,
      IntSupplier atATime,
      int retries) {
    this.folder = folder;
    this.lock = lock;
    this.jobs = jobs(folder, cells);
    this.starter = starter;
    this.atATime = atATime;
    this.retries = retries;
    jobs.stream().filter(job -> job.status() != Job.Status.DONE).forEach(queue::add);
  }

  /** The jobs of cells as they stand in their folders. */
  public static List<Job> jobs(Path folder, List<Cell> cells) {
    return cells.stream()
        .map(cell -> new Job(cell, new CellFolder(folder.resolve(cell.name()))))
        .toList();
  }

  /**
   * Takes hold of the folder.
   *
   * @param atATime how many cells run together, which may change
   * @param retries how often a failed cell is tried again
   */
  public static Sweep open(
      Path folder, List<Cell> cells, Starter starter, IntSupplier atATime, int retries) {
    try {
      Files.createDirectories(folder);
      return new Sweep(folder, FolderLock.take(folder), cells, starter, atATime, retries);
    } catch (IOException e) {
      throw new UserException("--out " + folder + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }

  /** Runs until every cell is done or failed, or the listener says stop. */
  public List<Job> run(Listener listener) {
    try {
      tell(listener);
      boolean goOn = true;
      while (goOn && !(queue.isEmpty() && running.isEmpty())) {
        toTell |= startSome(listener);
        tellInTime(listener);
        toTell |= endSome(listener);
        tellInTime(listener);
        goOn = listener.goOn(jobs);
        if (ends.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
          ends.drainPermits();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      stop();
    }
    tell(listener);
    return jobs;
  }

  private void tellInTime(Listener listener) {
    if (toTell && (jobs.size() < MANY || System.nanoTime() - lastTold > TELL_NANOS)) {
      tell(listener);
    }
  }

  private void tell(Listener listener) {
    toTell = false;
    lastTold = System.nanoTime();
    WholeFile.replace(folder.resolve("results.csv"), new ResultsTable(jobs).csv());
    listener.changed(jobs);
  }

  private boolean startSome(Listener listener) {
    boolean any = false;
    Optional<Job> next = next();
    while (next.isPresent() && running.size() < atATime.getAsInt()) {
      Job job = next.get();
      queue.remove(job);
      start(job);
      listener.started(job);
      any = true;
      next = next();
    }
    return any;
  }

  /** The first cell that no other process is working on, such as one of a sweep just killed. */
  private Optional<Job> next() {
    return queue.stream().filter(job -> !FolderLock.isHeld(job.folder().path())).findFirst();
  }

  private void start(Job job) {
    try {
      Process process = starter.start(job.cell(), job.folder());
      running.put(job, process);
      var _ = process.onExit().thenRun(ends::release);
      job.started();
    } catch (IOException e) {
      throw new UserException("a cell cannot be started: " + WholeFile.reason(e), e);
    }
  }

  private boolean endSome(Listener listener) {
    var ended = new LinkedHashMap<>(running);
    ended.values().removeIf(Process::isAlive);
    running.keySet().removeAll(ended.keySet());
    ended.forEach(
        (job, process) -> {
          job.ended();
          afterwards(job, process.exitValue());
          listener.ended(job, process.exitValue());
        });
    return !ended.isEmpty();
  }

  /** What was given wrongly stays wrong; all else is worth another try, from where it got to. */
  private void afterwards(Job job, int exitCode) {
    if (job.folder().isDone()) {
      return;
    }
    if (STOPPED.contains(exitCode)) {
      queue.add(job);
      return;
    }
    boolean last = exitCode == USAGE || job.failures() >= retries;
    job.failed(last);
    if (!last) {
      queue.add(job);
    }
  }

  /** Asks all running cells to save and end, and waits until they have. */
  private void stop() {
    running.values().forEach(Process::destroy);
    running.values().forEach(process -> process.onExit().join());
    running.keySet().forEach(Job::ended);
    running.clear();
  }

  @Override
  public void close() {
    lock.close();
  }
}
