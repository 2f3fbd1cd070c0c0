package cifvi.cli;

import cifvi.experiments.images.ImagesRun;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.mog.MogRun;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.run.RunDirectory;
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
    var run = RunDirectory.read(directory);
    try (var interrupt = Interrupt.install()) {
      return switch (run.kind()) {
        case MogSpec.KIND -> {
          var console = new MogConsole("training", interrupt);
          yield MogCommand.finish(spec, directory, MogRun.resume(directory, console));
        }
        case ImagesSpec.KIND -> {
          var console = new ImagesConsole(ImagesSpec.parse(run.read("spec.yaml")), interrupt);
          yield ImagesCommand.finish(spec, directory, ImagesRun.resume(directory, console));
        }
        default -> throw run.unknownKind();
      };
    }
  }
}
