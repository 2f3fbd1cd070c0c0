package cifvi.experiments.sweep;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A cell on its way through the sweep. */
public final class Job {
  /** What a cell is doing; {@code STOPPED} is unfinished with something to go on from. */
  public enum Status {
    WAITING,
    STOPPED,
    RUNNING,
    DONE,
    FAILED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Cell cell;
  private final CellFolder folder;
  private int failures;
  private boolean failed;
  private boolean running;
  private long startNanos;
  private @Nullable CellProgress first;
  private long firstNanos;
  private @Nullable JsonNode result;

  Job(Cell cell, CellFolder folder) {
    this.cell = cell;
    this.folder = folder;
  }

  public Cell cell() {
    return cell;
  }

  public CellFolder folder() {
    return folder;
  }

  public Status status() {
    if (running) {
      return Status.RUNNING;
    }
    if (result != null || folder.isDone()) {
      return Status.DONE;
    }
    if (failed) {
      return Status.FAILED;
    }
    return folder.isStarted() ? Status.STOPPED : Status.WAITING;
  }

  /** {@code result.json}, read once; empty while there is none. */
  public Optional<JsonNode> result() {
    if (result == null) {
      result = folder.result().orElse(null);
    }
    return Optional.ofNullable(result);
  }

  /** How often it has failed in this sweep. */
  public int failures() {
    return failures;
  }

  void started() {
    running = true;
    startNanos = System.nanoTime();
    first = null;
  }

  void ended() {
    running = false;
  }

  /**
   * Counts a failure.
   *
   * @param last whether the cell is given up
   */
  void failed(boolean last) {
    failures++;
    failed = last;
  }

  /** Seconds since its process started. */
  public double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** How far the running cell has come. */
  public Optional<CellProgress> progress() {
    Optional<CellProgress> now = folder.progress();
    if (first == null) {
      first = now.orElse(null);
      firstNanos = System.nanoTime();
    }
    return now;
  }

  /**
   * Seconds of training left at the pace seen so far; empty until there is a pace, or where nobody
   * knows when it is done.
   */
  public OptionalDouble secondsLeft(CellProgress now) {
    if (first == null || now.done() <= first.done() || !now.limited()) {
      return OptionalDouble.empty();
    }
    double pace = (System.nanoTime() - firstNanos) / 1e9 / (now.done() - first.done());
    return OptionalDouble.of(pace * (now.of() - now.done()));
  }
}
