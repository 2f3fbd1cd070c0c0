package cifvi.cli;

import cifvi.experiments.mog.MogRun;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cifvi resume DIR}: goes on where a run stopped, bit for bit. */
@Command(
    name = "resume",
    description = "Go on where a run stopped, with the very numbers it would have had.")
final class ResumeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "A run directory.")
  private Path directory;

  @Override
  public Integer call() {
    try (var interrupt = Interrupt.install()) {
      var result = MogRun.resume(directory, new MogConsole("training", interrupt));
      return MogCommand.finish(spec, directory, result);
    }
  }
}
