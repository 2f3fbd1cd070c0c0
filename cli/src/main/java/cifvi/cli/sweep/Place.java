package cifvi.cli.sweep;

import cifvi.experiments.sweep.Job;
import cifvi.experiments.sweep.Sweep;
import java.util.List;
import java.util.function.IntSupplier;

/** Where the cells of a sweep run. */
interface Place extends AutoCloseable {
  /** As many at a time as fit. */
  IntSupplier atATime();

  Sweep.Starter starter(int atATime);

  /** Follows the sweep, and has it shown. */
  default Sweep.Listener listener(Sweep.Listener console) {
    return console;
  }

  /** What is left to do when all cells have ended. */
  default void finish(List<Job> jobs) {}

  /** Where people find the results. */
  String address();

  @Override
  default void close() {}
}
