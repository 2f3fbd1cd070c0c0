package cifvi.cli;

import cifvi.experiments.run.RunSpec;
import java.util.concurrent.Callable;

/** A command that makes one run: what {@code sweep} can make many of. */
interface RunCommand extends Callable<Integer> {
  /** The settings of the run; wrong values of options are refused here. */
  RunSpec settings();
}
