package cifvi.cli;

import java.util.concurrent.Callable;

/** A command that makes one run: what {@code sweep} can make many of. */
interface RunCommand extends Callable<Integer> {
  /** What {@code spec.yaml} will hold; wrong values of options are refused here. */
  String specYaml();
}
