package cifvi.cli;

import cifvi.experiments.run.RunSpec;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** A command that makes one run: what {@code sweep} can make many of. */
interface RunCommand extends Callable<Integer> {
  /** The settings of the run; wrong values of options are refused here. */
  RunSpec settings();

  /** Says how to go on with a run that was stopped. */
  static int interrupted(CommandSpec spec, Path out) {
    spec.commandLine().getErr().println("saved; go on with: cifvi resume " + Printable.of(out));
    spec.commandLine().getErr().flush();
    return ExitCode.INTERRUPTED;
  }
}
